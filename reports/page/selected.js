/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes tables of the reports follow the selection: tables whose amounts the page can compute itself get a column with the
 * selected part of each row, and rows without any are hidden. Whether the page can compute them is tested with the whole run: it
 * must reproduce each number of the report.
 */
'use strict';

const Selected = Content && Content.any && (() => {
	const { functions, nodes, cpu, waits } = Content;
	const file = (row) => Content.files[waits.file[row]];
	/* Returns the cell of a column for a row of cpu or of waits; own is the node of the function that executed or waited. */
	const texts = {
		task: (rows, row) => Content.tasks[rows.task[row]],
		transaction: (rows, row) => Content.transactions[rows.transaction[row]],
		section: (rows, row, own) => functions[nodes.of[own]].section,
		procedure: (rows, row, own) => functions[nodes.of[own]].name,
		line: (rows, row, own) => nodes.line[own],
		reason: (rows, row) => rows === waits ? Content.reasons[waits.reason[row]] : undefined,
		ddname: (rows, row) => rows === waits ? (file(row) ? file(row).name : '') : undefined,
	};
	/* Returns the program's procedure that a node is charged to. */
	function caller(at) {
		while (at && functions[nodes.of[at]].kind !== KIND.program) at = nodes.parent[at];
		return at;
	}
	const kinds = [
		{ column: 'samples', rows: cpu, amounts: () => Selection.amounts().samples, cells: 'amount', text: Show.number, own: (row) => cpu.node[row] },
		{ column: 'charged_samples', rows: cpu, amounts: () => Selection.amounts().samples, cells: 'amount', text: Show.number, own: (row) => caller(cpu.node[row]) },
		{ column: 'wait_charged_ns', rows: waits, amounts: () => Selection.amounts().charged, cells: 'charged', text: Show.time, own: (row) => nodes.parent[waits.node[row]] },
	];
	const followed = [], wholes = new Map();

	const key = (parts) => JSON.stringify(parts);
	/* Returns amounts of the rows of a kind, summed by the texts of some columns; cached, as many tables need the same. */
	function sums(kind, columns, amounts, kept) {
		const name = kind.column + ' ' + columns.join(' ');
		if (kept.has(name)) return kept.get(name);
		const made = new Map();
		for (let row = 0; row < kind.rows.count; row++) {
			if (!amounts[row]) continue;
			const own = kind.own(row), text = key(columns.map((column) => texts[column](kind.rows, row, own)));
			made.set(text, (made.get(text) || 0) + amounts[row]);
		}
		kept.set(name, made);
		return made;
	}
	/* Returns the amounts of the whole run. */
	function whole(kind) {
		const made = new Float64Array(kind.rows.count);
		for (let row = 0; row < kind.rows.count; row++)
			for (let cell = kind.rows.first[row]; cell < kind.rows.first[row + 1]; cell++) made[row] += kind.rows[kind.cells][cell];
		return made;
	}
	const said = (cell) => cell.dataset.v !== undefined ? Number(cell.dataset.v) : cell.textContent;
	/* Returns the rows of a table with their keys if the whole run reproduces all of its numbers. */
	function match(table, kind, columns, context, amount) {
		const names = [...context, ...columns].map(([column]) => column);
		const all = sums(kind, names, kind.whole || (kind.whole = whole(kind)), wholes), rows = [];
		for (const row of table.tBodies[0].rows) {
			const text = row.className === '' ? key([...context.map(([, text]) => text), ...columns.map(([, number]) => said(row.cells[number]))]) : null;
			if (text !== null && Math.abs((all.get(text) || 0) - said(row.cells[amount])) > 1e-6 * (1 + said(row.cells[amount]))) return null;
			rows.push({ row, text });
		}
		return rows;
	}
	function add(table, kind, columns, context, rows) {
		const head = make('th.selected', { scope: 'col', title: 'the amount of the row in the selected part of the run' }, 'SELECTED');
		head.dataset.c = 'selected';
		[...table.tHead.rows].forEach((row, number) => row.append(number < table.tHead.rows.length - 1 ? make('td.selected') : head));
		for (const one of rows) {
			one.cell = make('td.n.selected');
			one.row.append(one.cell);
		}
		followed.push({ table, kind, names: [...context, ...columns].map(([column]) => column), context, rows });
	}
	/* Makes a table follow the selection, if possible. */
	function follow(table) {
		if (table.followed || !table.tHead || !table.tBodies.length) return;
		table.followed = true;
		const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells].map((cell) => cell.dataset.c);
		/* Facts common to all rows of the table; a module and a function are identified by their section. */
		const context = [...table.querySelectorAll('caption [data-c]')].map((one) => [one.dataset.c, said(one)])
			.filter(([column]) => column !== 'module' && column !== 'function');
		if (!context.every(([column]) => column in texts)) return;
		const columns = Object.keys(texts).map((column) => [column, heads.indexOf(column)]).filter(([, number]) => number >= 0);
		for (const kind of kinds) {
			const amount = heads.indexOf(kind.column);
			if (amount < 0 || !columns.length) continue;
			const rows = match(table, kind, columns, context, amount);
			if (rows && rows.some((one) => one.text !== null && said(one.row.cells[amount]) > 0)) {
				add(table, kind, columns, context, rows);
				return;
			}
		}
	}
	function put(kind, one, amount) {
		one.cell.dataset.v = String(amount);
		one.cell.textContent = kind.text(amount);
		one.row.classList.toggle('unselected', amount === 0);
	}
	/* Subtotals are left out; the row of others gets the total minus all shown rows. */
	function show({ kind, names, context, rows }, kept) {
		const amounts = kind.amounts(), made = sums(kind, names, amounts, kept);
		const all = sums(kind, context.map(([column]) => column), amounts, kept).get(key(context.map(([, text]) => text))) || 0;
		let rest = all;
		for (const one of rows)
			if (one.text !== null) {
				put(kind, one, made.get(one.text) || 0);
				rest -= made.get(one.text) || 0;
			}
		for (const one of rows) {
			if (one.row.classList.contains('t')) put(kind, one, all);
			if (one.row.classList.contains('o')) put(kind, one, Math.max(0, Math.round(rest)));
		}
	}
	function refresh() {
		document.body.classList.toggle('narrowing', Selection.narrowed);
		const kept = new Map();
		for (const one of followed)
			if (Selection.narrowed) show(one, kept);
			else for (const { row } of one.rows) row.classList.remove('unselected');
	}
	Selection.on(refresh);
	return { follow(element) { for (const table of element.querySelectorAll('table')) follow(table); refresh(); }, followed };
})();
