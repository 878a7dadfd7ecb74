/* SPDX-License-Identifier: Apache-2.0 */
/* Makes tables sortable and searchable, and links names to the views that show them. */
'use strict';

const Tables = (() => {
	/* Minimum number of rows for a search field. */
	const LONG = 12;

	function value(row, number) {
		const cell = row.cells[number];
		if (!cell) return '';
		return cell.dataset.v !== undefined ? Number(cell.dataset.v) : cell.textContent;
	}
	function compare(a, b) {
		if (typeof a === 'number' && typeof b === 'number') return a - b;
		if (typeof a === 'number') return 1;
		if (typeof b === 'number') return -1;
		return a.localeCompare(b);
	}
	/* Sorts by a column: falling, rising, original order. Subtotals are hidden meanwhile. */
	function sort(table, head, number) {
		const body = table.tBodies[0], rows = table.originalRows || (table.originalRows = [...body.rows]);
		const numeric = rows.some((row) => row.cells[number] && row.cells[number].dataset.v !== undefined);
		const states = numeric ? ['descending', 'ascending', 'none'] : ['ascending', 'descending', 'none'];
		const next = states[(states.indexOf(head.getAttribute('aria-sort')) + 1) % 3];
		for (const other of table.querySelectorAll('th[aria-sort]')) other.setAttribute('aria-sort', 'none');
		head.setAttribute('aria-sort', next);
		let sorted = rows;
		if (next !== 'none') {
			const last = rows.filter((row) => row.classList.contains('t'));
			const first = rows.filter((row) => !row.classList.contains('t') && !row.classList.contains('s')).map((row) => [value(row, number), row]);
			first.sort((a, b) => next === 'descending' ? compare(b[0], a[0]) : compare(a[0], b[0]));
			sorted = [...first.map(([, row]) => row), ...last];
		}
		body.replaceChildren(...sorted);
	}
	function search(table, text) {
		const wanted = text.trim().toLowerCase();
		let shown = 0;
		for (const row of table.tBodies[0].rows) {
			const sum = row.classList.contains('t') || row.classList.contains('s');
			row.hidden = wanted !== '' && (sum || !row.textContent.toLowerCase().includes(wanted));
			if (!row.hidden && !sum) shown++;
		}
		return wanted ? shown + ' rows' : '';
	}
	/* Buttons above a table: search, more columns. */
	function tools(table) {
		const bar = make('div.table-tools');
		const title = table.caption ? table.caption.textContent : 'the table';
		if (table.tBodies[0].rows.length >= LONG) {
			const count = make('span.found', { 'aria-live': 'polite' });
			bar.append(make('input', { type: 'search', placeholder: 'Filter rows', 'aria-label': 'Filter the rows of ' + title, oninput: (event) => { count.textContent = search(table, event.target.value); } }), count);
		}
		if (table.querySelector('th.m'))
			bar.append(make('button.toggle', { type: 'button', textContent: 'All columns', 'aria-pressed': 'false', onclick: (event) => {
				event.target.setAttribute('aria-pressed', String(table.classList.toggle('all')));
			} }));
		if (bar.children.length) table.closest('.table').before(bar);
	}
	/* Link targets of names: procedures, and lines of sources. */
	const targets = { procedures: null, files: null };
	function known() {
		if (targets.procedures || !Content) return;
		targets.procedures = new Map();
		targets.files = new Map();
		if (Procedure)
			for (const one of Content.functions)
				if (one.number && one.kind !== KIND.wait && one.name && !targets.procedures.has(one.name)) targets.procedures.set(one.name, one.number);
		if (Lines)
			for (const source of Content.sources) {
				const path = Content.texts[source.file];
				targets.files.set(path, source.file);
				targets.files.set(path.split('/').pop(), source.file);
			}
	}
	function into(cell, href) {
		const link = make('a', { href });
		link.append(...cell.childNodes);
		cell.append(link);
	}
	function links(table) {
		known();
		if (!targets.procedures) return;
		const at = {};
		const last = table.tHead.rows[table.tHead.rows.length - 1];
		[...last.cells].forEach((cell, number) => { if (cell.dataset.c && at[cell.dataset.c] === undefined) at[cell.dataset.c] = number; });
		const text = (row, name) => at[name] === undefined || !row.cells[at[name]] ? '' : row.cells[at[name]].textContent;
		for (const row of table.tBodies[0].rows) {
			if (row.className) continue;
			const of = targets.procedures.get(text(row, 'procedure'));
			if (of) into(row.cells[at.procedure], '#procedure=' + of);
			const file = targets.files.get(text(row, 'file')) || targets.files.get(text(row, 'section'));
			const line = row.cells[at.line] && row.cells[at.line].dataset.v;
			if (file && line > 0) into(row.cells[at.line], '#source=' + file + ':' + line);
		}
	}
	/* Callees are to the right of their callers. */
	function indent(table) {
		const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells].map((cell) => cell.dataset.c);
		const level = heads.indexOf('level'), name = heads.indexOf('procedure');
		if (level < 0 || name < 0) return;
		for (const row of table.tBodies[0].rows)
			if (row.cells[name] && row.cells[level].dataset.v)
				row.cells[name].style.paddingLeft = (9 + 11 * Math.min(30, row.cells[level].dataset.v - 1)) + 'px';
	}
	function prepare(table) {
		if (table.prepared || !table.tHead || !table.tBodies.length) return;
		table.prepared = true;
		const heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
		[...heads].forEach((head, number) => {
			if (head.classList.contains('b') || !head.textContent.trim()) return;
			const button = make('button', { type: 'button', textContent: head.textContent, title: head.title, onclick: () => sort(table, head, number) });
			head.setAttribute('aria-sort', 'none');
			head.replaceChildren(button);
		});
		tools(table);
		indent(table);
		if (table.closest('.report')) links(table);
	}
	return { enhance(element) { for (const table of element.querySelectorAll('table')) if (table.dataset.t !== 'source') prepare(table); } };
})();
