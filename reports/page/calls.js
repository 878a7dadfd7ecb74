/* SPDX-License-Identifier: Apache-2.0 */
/* Builds trees of calls from the selected rows: from the outermost caller, or from the innermost function. */
'use strict';

const Calls = Content && (() => {
	/* Metrics: the ns that a row of cpu, and a row of waits, adds. */
	const metrics = {
		cpu: { text: 'CPU', title: 'CPU time', cpu: true, waits: null },
		wait: { text: 'Waits', title: 'the time the step waited, charged to those that waited', cpu: false, waits: 'charged' },
		both: { text: 'CPU and waits', title: 'CPU time, and the time the step waited', cpu: true, waits: 'charged' },
		tasks: { text: 'Waits of all threads', title: 'the time each thread waited, whatever the others did', cpu: false, waits: 'waited' },
	};

	function node(parent, of, label) {
		return { parent, of, label, depth: parent ? parent.depth + 1 : 0, cpu: 0, wait: 0, own: 0, value: 0, children: [], known: new Map(), ends: null, weight: 0 };
	}
	/* Limit of nodes of an inverted tree: more cannot be shown, and take long to make. */
	const NODES_MOST = 40000;

	/* Returns a builder for a tree that is filled path by path. */
	function builder() {
		const root = node(null, 0, 'all'), all = [root];
		function child(parent, of, label) {
			const key = label === undefined ? of : label;
			let found = parent.known.get(key);
			if (!found) {
				found = node(parent, of, label);
				parent.known.set(key, found);
				parent.children.push(found);
				all.push(found);
			}
			return found;
		}
		function end() {
			for (let i = all.length - 1; i >= 0; i--) {
				const one = all[i];
				one.value = one.cpu + one.wait;
				if (one.parent) { one.parent.cpu += one.cpu; one.parent.wait += one.wait; }
				one.children.sort((a, b) => b.value - a.value || a.of - b.of);
				one.known = null;
			}
			root.count = all.length;
			return root;
		}
		return { root, child, end, count: () => all.length };
	}
	/* Calls each(node, task, transaction, cpu, wait) for each row with a nonzero amount of a metric. */
	function rows(metric, each) {
		const amounts = Selection.amounts(), wanted = metrics[metric];
		if (wanted.cpu)
			for (let row = 0; row < Content.cpu.count; row++)
				if (amounts.samples[row])
					each(Content.cpu.node[row], Content.cpu.task[row], Content.cpu.transaction[row], amounts.samples[row] * Content.period, 0);
		if (wanted.waits)
			for (let row = 0; row < Content.waits.count; row++)
				if (amounts[wanted.waits][row])
					each(Content.waits.node[row], Content.waits.task[row], Content.waits.transaction[row], 0, amounts[wanted.waits][row]);
	}
	function add(leaf, cpu, wait) {
		leaf.cpu += cpu;
		leaf.wait += wait;
		leaf.own += cpu + wait;
	}
	/* Adds amounts to the sums of the rows that share key: one node, above the same node of the tree. */
	function collect(ends, key, at, cpu, wait) {
		let end = ends.get(key);
		if (!end) ends.set(key, end = { at, cpu: 0, wait: 0 });
		end.cpu += cpu;
		end.wait += wait;
	}
	/*
	 * Grows a tree outward: continues from each of tops to the callers of what ends there, { at, cpu, wait }: at is the caller, 0 none.
	 * The heaviest nodes come first; when the limit is reached, the callers of the others become one node.
	 */
	function outward(build, tops) {
		const of = Content.nodes.of, parent = Content.nodes.parent, waiting = [];
		function grow(from) {
			for (const end of from.ends) {
				if (!end.at) {
					add(from, end.cpu, end.wait);
					continue;
				}
				const to = build.child(from, of[end.at]);
				if (!to.ends) to.ends = [];
				to.ends.push({ at: parent[end.at], cpu: end.cpu, wait: end.wait });
				to.weight += end.cpu + end.wait;
			}
			from.ends = null;
			for (const child of from.children) {
				/* Nodes of about the same weight share a level, in any order. */
				const level = Math.max(0, Math.floor(4 * Math.log2(child.weight)));
				(waiting[level] = waiting[level] || []).push(child);
			}
		}
		tops.forEach(grow);
		while (waiting.length && build.count() < NODES_MOST) {
			const heaviest = waiting[waiting.length - 1];
			if (heaviest && heaviest.length) grow(heaviest.pop());
			else waiting.pop();
		}
		for (const level of waiting)
			for (const from of level || [])
				for (const end of from.ends)
					add(end.at ? build.child(from, 0, '(callers of what is smaller)') : from, end.cpu, end.wait);
	}
	/* Returns the tree of all calls; group is '', 'task' or 'transaction'; inverted: from the innermost function outward. */
	function tree(metric, group, inverted) {
		const build = builder(), of = Content.nodes.of, parent = Content.nodes.parent, places = new Map();
		const names = group === 'task' ? Content.tasks : Content.transactions;
		function place(base, at, known) {
			if (!at) return base;
			let found = known[at];
			if (!found) found = known[at] = build.child(place(base, parent[at], known), of[at]);
			return found;
		}
		rows(metric, (at, task, transaction, cpu, wait) => {
			const which = group === 'task' ? task : group === 'transaction' ? transaction : -1;
			if (!places.has(which))
				places.set(which, { base: which < 0 ? build.root : build.child(build.root, 0, names[which]), known: [], ends: new Map() });
			const { base, known, ends } = places.get(which);
			if (inverted) collect(ends, at, at, cpu, wait);
			else add(place(base, at, known), cpu, wait);
		});
		if (inverted)
			outward(build, [...places.values()].map(({ base, ends }) => Object.assign(base, { ends: [...ends.values()] })));
		return build.end();
	}
	/* Returns the callees and the callers of one function; both trees begin with the function. */
	function around(metric, wanted) {
		const callees = builder(), callers = builder(), of = Content.nodes.of, parent = Content.nodes.parent;
		const below = callees.child(callees.root, wanted), above = callers.child(callers.root, wanted), ends = new Map();
		rows(metric, (at, task, transaction, cpu, wait) => {
			const path = [];
			let outermost = 0;
			for (let one = at; one; one = parent[one]) {
				path.push(one);
				if (of[one] === wanted) outermost = one;
			}
			if (!outermost) return;
			let leaf = below;
			for (let i = path.indexOf(outermost) - 1; i >= 0; i--) leaf = callees.child(leaf, of[path[i]]);
			add(leaf, cpu, wait);
			collect(ends, outermost, parent[outermost], cpu, wait);
		});
		above.ends = [...ends.values()];
		outward(callers, [above]);
		return { callees: callees.end(), callers: callers.end() };
	}
	/* Returns, by function, self and total CPU time, self and total waits; a wait counts as self time of its caller. */
	function functions(waits) {
		const made = new Map(), of = Content.nodes.of, parent = Content.nodes.parent;
		function at(number) {
			if (!made.has(number)) made.set(number, { of: number, ownCpu: 0, cpu: 0, ownWait: 0, wait: 0 });
			return made.get(number);
		}
		function take(leaf, cpu, wait) {
			const seen = new Set();
			for (let one = leaf, first = true; one; one = parent[one]) {
				const number = of[one];
				if (Content.functions[number].kind === KIND.wait) continue;
				const sum = at(number);
				if (first) { sum.ownCpu += cpu; sum.ownWait += wait; }
				first = false;
				if (seen.has(number)) continue;
				seen.add(number);
				sum.cpu += cpu;
				sum.wait += wait;
			}
		}
		rows('cpu', (leaf, task, transaction, cpu) => take(leaf, cpu, 0));
		rows(waits || 'wait', (leaf, task, transaction, cpu, wait) => take(leaf, 0, wait));
		return [...made.values()].sort((a, b) => b.cpu + b.wait - a.cpu - a.wait || a.of - b.of);
	}
	/* Returns the same by file and line. */
	function lines() {
		const made = new Map(), nodes = Content.nodes;
		function take(leaf, cpu, wait) {
			const seen = new Set();
			let first = true;
			for (let one = leaf; one; one = nodes.parent[one]) {
				const own = first;
				if (Content.functions[nodes.of[one]].kind === KIND.wait) continue;
				first = false;
				if (!nodes.file[one]) continue;
				let file = made.get(nodes.file[one]);
				if (!file) made.set(nodes.file[one], file = new Map());
				let sum = file.get(nodes.line[one]);
				if (!sum) file.set(nodes.line[one], sum = { ownCpu: 0, cpu: 0, ownWait: 0, wait: 0, of: nodes.of[one] });
				if (own) { sum.ownCpu += cpu; sum.ownWait += wait; }
				if (seen.has(sum)) continue;
				seen.add(sum);
				sum.cpu += cpu;
				sum.wait += wait;
			}
		}
		rows('cpu', (leaf, task, transaction, cpu) => take(leaf, cpu, 0));
		rows('wait', (leaf, task, transaction, cpu, wait) => take(leaf, 0, wait));
		return made;
	}
	/* Returns the statements of the program that caused CPU time, and the waits, ns, heaviest first. */
	function heaviest() {
		const made = new Map(), nodes = Content.nodes;
		function add(key, one, ns) {
			if (!made.has(key)) made.set(key, { ...one, ns: 0 });
			made.get(key).ns += ns;
		}
		rows('both', (leaf, task, transaction, cpu, wait) => {
			if (wait) {
				const amounts = Content.functions[nodes.of[leaf]];
				add('wait ' + amounts.name, { wait: true, of: nodes.of[leaf], line: 0, file: 0 }, wait);
				return;
			}
			let at = leaf;
			while (at && Content.functions[nodes.of[at]].kind !== KIND.program) at = nodes.parent[at];
			if (at) add(nodes.of[at] + ' ' + nodes.line[at] + ' ' + nodes.file[at], { wait: false, of: nodes.of[at], line: nodes.line[at], file: nodes.file[at] }, cpu);
		});
		return [...made.values()].sort((a, b) => b.ns - a.ns);
	}
	return { metrics, tree, around, functions, lines, heaviest, rows };
})();
