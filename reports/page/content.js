/* SPDX-License-Identifier: Apache-2.0 */
/* The content of the page as arrays (described in page-content.h). null: the page has tables only. */
'use strict';

const Content = (() => {
	const element = document.getElementById('content');
	if (!element) return null;
	const raw = JSON.parse(element.textContent);

	/* Returns one column of a flat array of rows. */
	function column(flat, width, number, Type) {
		const count = flat.length / width, made = new Type(count);
		for (let i = 0, at = number; i < count; i++, at += width) made[i] = flat[at];
		return made;
	}
	/* Returns where the cells of each row begin, plus one entry for the end. */
	function starts(counts) {
		const made = new Int32Array(counts.length + 1);
		for (let i = 0; i < counts.length; i++) made[i + 1] = made[i] + counts[i];
		return made;
	}
	const functions = [];
	for (let i = 0; i < raw.functions.length; i += 5)
		functions.push({ number: i / 5, name: raw.texts[raw.functions[i]], section: raw.texts[raw.functions[i + 1]],
			module: raw.texts[raw.functions[i + 2]], kind: raw.functions[i + 3], reason: raw.functions[i + 4] });

	const content = {
		period: raw.period, run: raw.run, axis: raw.axis, texts: raw.texts, functions,
		totals: raw.totals, tasks: raw.tasks, transactions: raw.transactions, reasons: raw.reasons,
		files: raw.files.map((file) => file && { name: file[0], dataSet: file[1], device: file[2] }),
		groups: raw.groups, sources: raw.sources,
		nodes: { count: raw.nodes.length / 4, parent: column(raw.nodes, 4, 0, Int32Array), of: column(raw.nodes, 4, 1, Int32Array),
			file: column(raw.nodes, 4, 2, Int32Array), line: column(raw.nodes, 4, 3, Float64Array) },
		cpu: { count: raw.cpu.length / 4, node: column(raw.cpu, 4, 0, Int32Array), task: column(raw.cpu, 4, 1, Int32Array),
			transaction: column(raw.cpu, 4, 2, Int32Array), first: starts(column(raw.cpu, 4, 3, Int32Array)),
			slice: column(raw.cpuCells, 2, 0, Int32Array), amount: column(raw.cpuCells, 2, 1, Float64Array) },
		waits: { count: raw.waits.length / 6, node: column(raw.waits, 6, 0, Int32Array), task: column(raw.waits, 6, 1, Int32Array),
			transaction: column(raw.waits, 6, 2, Int32Array), reason: column(raw.waits, 6, 3, Int32Array),
			file: column(raw.waits, 6, 4, Int32Array), first: starts(column(raw.waits, 6, 5, Int32Array)),
			slice: column(raw.waitCells, 3, 0, Int32Array), amount: column(raw.waitCells, 3, 1, Float64Array),
			charged: column(raw.waitCells, 3, 2, Float64Array) },
	};
	/* Returns when a slice begins, seconds since the start of the run. */
	content.seconds = (slice) => (content.axis.start + slice * content.axis.width) / 1e9;
	content.any = content.cpu.count + content.waits.count > 0;
	/* Returns the nodes from the outermost to this one. */
	content.path = (node) => {
		const made = [];
		for (let at = node; at; at = content.nodes.parent[at]) made.push(at);
		return made.reverse();
	};
	return content;
})();

/* Kinds of functions, with the numbers of page-tree.h. */
const KIND = { program: 0, system: 1, kernel: 2, unknown: 3, wait: 4 };
