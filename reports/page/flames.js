/* SPDX-License-Identifier: Apache-2.0 */
/* The view of all calls as a flame graph, and the same as tables. */
'use strict';

const Flames = Content && Content.any && (() => {
	const shown = { metric: Content.cpu.count ? (Content.waits.count ? 'both' : 'cpu') : 'wait', group: '', inverted: false, search: '' };
	const picture = new Picture('Flame graph', (node) => { if (node.label === undefined && node.of) Procedure.open(node.of); });
	const found = make('span.found', { 'aria-live': 'polite' });
	const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search for a procedure, section or module',
		oninput: () => { shown.search = search.value; mark(); } });
	const invert = make('button.toggle', { type: 'button', textContent: 'Inverted', title: 'from the innermost function outward', 'aria-pressed': 'false',
		onclick: () => { shown.inverted = !shown.inverted; invert.setAttribute('aria-pressed', String(shown.inverted)); refresh(); } });
	const metric = choice('What is counted', Object.entries(Calls.metrics).map(([key, value]) => [key, value.text, value.title]), shown.metric,
		(value) => { shown.metric = value; refresh(); });
	const group = list('Split by', [['', 'All together'], ['task', 'By thread'], ['transaction', 'By transaction']],
		(value) => { shown.group = value; refresh(); });
	const reset = make('button', { type: 'button', textContent: 'Show all', onclick: () => picture.zoom(picture.root) });
	const empty = make('p.empty', { textContent: 'The selected part of the run has no data of this kind.' });
	const tables = alternative('The same as a table of calls', outline);
	const functions = make('div');
	const element = make('section.view', { id: 'flames', 'aria-labelledby': 'flames-title' },
		make('h2', { id: 'flames-title', textContent: 'Flame graph' }),
		make('div.tools', {}, metric, group, invert, search, found, reset),
		legend(), picture.element, empty, tables, functions);
	let root = null;

	function legend() {
		const items = [['program-2', 'Program'], ['system-2', 'Library'], ['kernel-2', 'Kernel'], ['w-read', 'File read'], ['w-write', 'File write'],
			['w-sync', 'File sync'], ['w-lock', 'Lock'], ['w-dispatch', 'Ready, not running'], ['w-other', 'Other waits']];
		return make('p.legend', { 'aria-hidden': 'true' }, ...items.map(([name, text]) => make('span', {}, make('i.' + name), text)));
	}
	/* Returns a test whether nodes match a text, if there is one. */
	function matcher(text) {
		const wanted = text.trim().toLowerCase();
		if (!wanted) return null;
		return (node) => {
			if (node.label !== undefined) return node.label.toLowerCase().includes(wanted);
			const of = Content.functions[node.of];
			return (of.name + ' ' + of.section + ' ' + of.module).toLowerCase().includes(wanted);
		};
	}
	/* Returns the time in matching boxes; those inside other matches are not counted again. */
	function sum(node, test) {
		if (node.parent && test(node)) return node.value;
		return node.children.reduce((all, child) => all + sum(child, test), 0);
	}
	function mark() {
		const test = matcher(shown.search);
		picture.search = test;
		found.textContent = test ? Show.time(sum(root, test)) + ', ' + Show.percent(100 * sum(root, test) / (root.value || 1)) + ' found' : '';
		picture.draw();
	}
	/* Returns the heaviest calls as lines of a table, callees below their callers. */
	function outline() {
		if (!root) return [];
		const rows = [], least = root.value / 200;
		(function walk(node) {
			for (const child of node.children)
				if (child.value >= least && rows.length < 400) { rows.push(child); walk(child); }
		})(root);
		return dataTable('Calls of at least half a percent', [
			{ head: 'Procedure', text: (row) => picture.name(row), depth: (row) => row.depth - 1, link: (row) => row.of && Content.functions[row.of].kind !== KIND.wait ? '#procedure=' + row.of : null },
			{ head: 'Time', number: true, value: (row) => row.value, text: (row) => Show.time(row.value), bar: (row) => row.value / root.value },
			{ head: '%', number: true, value: (row) => row.value, text: (row) => (100 * row.value / root.value).toFixed(2) },
			{ head: 'CPU', number: true, value: (row) => row.cpu, text: (row) => row.cpu ? Show.time(row.cpu) : '' },
			{ head: 'Waits', number: true, value: (row) => row.wait, text: (row) => row.wait ? Show.time(row.wait) : '' },
			{ head: 'Own', number: true, value: (row) => row.own, text: (row) => row.own ? Show.time(row.own) : '' },
		], rows);
	}
	function refresh() {
		if (element.hidden && !document.body.classList.contains('printing')) { stale = true; return; }
		stale = false;
		root = Calls.tree(shown.metric, shown.group, shown.inverted);
		root.label = shown.metric === 'cpu' ? 'All CPU time' : shown.metric === 'both' ? 'All CPU time and waits' : 'All waits';
		empty.hidden = root.value > 0;
		picture.element.hidden = !empty.hidden;
		picture.show(root);
		mark();
		tables.refresh();
		functions.replaceChildren(Lists.functions());
		Tables.enhance(functions);
	}
	let stale = true;
	Selection.on(refresh);
	return { element, picture, shown, refresh,
		enter() { if (stale) refresh(); else picture.draw(); },
		/* Highlights the boxes with a text. */
		find(text) { search.value = shown.search = text; location.hash = '#flames'; if (root) mark(); },
		get root() { return root; } };
})();
