/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a comparison: the calls of two sides as one flame graph, coloured by their difference (page-difference.h). */
'use strict';

/* A picture whose boxes are the redder the more time they take on the other side, the bluer the less. */
class DifferencePicture extends Picture {
	describe(node) {
		const more = node.other - node.base, parts = [node.label];
		parts.push('base ' + Show.time(node.base) + ', other ' + Show.time(node.other));
		parts.push((more < 0 ? '−' : '+') + Show.time(Math.abs(more)) + (node.base ? ' (' + (more < 0 ? '−' : '+') + (100 * Math.abs(more) / node.base).toFixed(1) + ' %)' : ', not on the base'));
		return parts;
	}
	colour(node) {
		const strength = Math.min(1, Math.abs(node.other - node.base) / this.strongest);
		if (node === this.root || strength < 0.01) return this.palette.group;
		return 'hsl(' + (node.other > node.base ? 8 : 212) + ' 88% ' + (86 - 24 * Math.sqrt(strength)).toFixed(1) + '%)';
	}
}

const Difference = (() => {
	const element = document.getElementById('difference-content');
	if (!element) return null;
	const raw = JSON.parse(element.textContent);
	const shown = { side: 'other', search: '' };
	const root = { label: 'All CPU time', base: raw.base * 1000, other: raw.other * 1000, children: [], parent: null, depth: 0 };
	const nodes = [root];
	for (let at = 0; at < raw.nodes.length; at += 4) {
		const parent = nodes[raw.nodes[at]];
		const node = { label: raw.names[raw.nodes[at + 1]], base: raw.nodes[at + 2] * 1000, other: raw.nodes[at + 3] * 1000, children: [], parent, depth: parent.depth + 1 };
		parent.children.push(node);
		nodes.push(node);
	}
	const own = (node) => ({ base: node.base - node.children.reduce((sum, one) => sum + one.base, 0), other: node.other - node.children.reduce((sum, one) => sum + one.other, 0) });

	const picture = new DifferencePicture('Flame graph of the differences', (node) => picture.zoom(node));
	/* The strongest colour stands for the largest difference, but at least a twentieth of the total. */
	picture.strongest = nodes.slice(1).reduce((most, node) => Math.max(most, Math.abs(node.other - node.base)), Math.max(root.base, root.other) / 20) || 1;
	const found = make('span.found', { 'aria-live': 'polite' });
	const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search for a procedure', oninput: () => { shown.search = search.value; mark(); } });
	const side = choice('Widths are the times of', [['other', 'Other', 'what came is shown, what went is not'], ['base', 'Base', 'what went is shown, what came is not']], shown.side,
		(value) => { shown.side = value; refresh(); });
	const reset = make('button', { type: 'button', textContent: 'Show all', onclick: () => picture.zoom(root) });
	const legend = make('p.legend', { 'aria-hidden': 'true' }, make('span', {}, make('i.more'), 'takes more on the other side'), make('span', {}, make('i.less'), 'takes less'), make('span', {}, make('i.same'), 'the same'));
	const tables = alternative('The same as a table of calls', outline);
	const note = make('p', { textContent: 'CPU time of both sides, the mean of the runs of each' + (raw.work === 1 ? '' : ', that of the other side scaled to the work of the base') +
		'. Colours show amounts, not their certainty: the tables of the comparison show which differences are certain.' });
	const view = make('section.view', { id: 'difference', 'aria-labelledby': 'difference-title' }, make('h2', { id: 'difference-title', textContent: 'Flame graph of the differences' }), note,
		make('div.tools', {}, side, search, found, reset), legend, picture.element, tables);

	function mark() {
		const wanted = shown.search.trim().toLowerCase();
		picture.search = wanted ? (node) => node.label.toLowerCase().includes(wanted) : null;
		const sum = (node) => node !== root && picture.search(node) ? node.value : node.children.reduce((all, child) => all + sum(child), 0);
		found.textContent = wanted ? Show.time(sum(root)) + ' found' : '';
		picture.draw();
	}
	function outline() {
		const rows = [], least = Math.max(root.base, root.other) / 500;
		(function walk(node) {
			for (const child of node.children)
				if (Math.max(child.base, child.other) >= least && rows.length < 1000) { rows.push(child); walk(child); }
		})(root);
		const time = (head, value) => ({ head, number: true, value, text: (row) => (value(row) < 0 ? '−' : '') + Show.time(Math.abs(value(row))) });
		return dataTable('Calls of both sides', [{ head: 'Procedure', text: (row) => row.label, depth: (row) => row.depth - 1 },
			time('Base', (row) => row.base), time('Other', (row) => row.other), time('Difference', (row) => row.other - row.base),
			time('Own difference', (row) => own(row).other - own(row).base)], rows);
	}
	function refresh() {
		for (const node of nodes) node.value = node[shown.side];
		for (const node of nodes) node.children.sort((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1));
		picture.show(root);
		mark();
		tables.refresh();
	}
	refresh();
	return { element: view, picture, shown, root, nodes, refresh, enter() { picture.draw(); } };
})();
