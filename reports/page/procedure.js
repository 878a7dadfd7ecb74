/* SPDX-License-Identifier: Apache-2.0 */
/* The view of one procedure: its callers, callees and lines. */
'use strict';

const Procedure = Content && Content.any && (() => {
	const shown = { of: 0, metric: 'both' };
	const open = (node) => { if (node.label === undefined && node.of) Procedure.open(node.of); };
	const callers = new Picture('Callers of the procedure, the procedure at the bottom', open, true), callees = new Picture('What the procedure calls', open);
	const names = make('datalist', { id: 'procedures' });
	const input = make('input', { type: 'search', list: 'procedures', placeholder: 'Procedure', 'aria-label': 'Procedure to show',
		onchange: () => choose(input.value) });
	const metric = choice('What is counted', Object.entries(Calls.metrics).map(([key, value]) => [key, value.text, value.title]), shown.metric,
		(value) => { shown.metric = value; refresh(); });
	const empty = make('p.empty', { textContent: 'The selected part of the run has no data of this kind.' });
	const facts = make('p.facts-line', { 'aria-live': 'polite' }), lines = make('div');
	const element = make('section.view', { id: 'procedure', 'aria-labelledby': 'procedure-title' },
		make('h2', { id: 'procedure-title', textContent: 'Procedure' }), make('div.tools', {}, input, names, metric), facts,
		empty, make('h3', { textContent: 'Called by' }), callers.element, make('h3', { textContent: 'Calls' }), callees.element, lines);
	const title = element.firstChild;
	callers.element.classList.add('upward');
	let stale = true;

	function text(of) {
		const one = Content.functions[of];
		return [one.name, one.section || one.module].filter(Boolean).join(' · ');
	}
	function choose(wanted) {
		const of = Content.functions.findIndex((one, number) => number && one.kind !== KIND.wait && (text(number) === wanted || one.name === wanted));
		if (of > 0) Procedure.open(of);
	}
	function fill() {
		if (names.children.length) return;
		for (const row of Calls.functions().slice(0, 1000)) names.append(make('option', { value: text(row.of) }));
	}
	function refresh() {
		if (element.hidden && !document.body.classList.contains('printing')) { stale = true; return; }
		stale = false;
		fill();
		const all = Calls.functions();
		if (!shown.of) {
			const program = all.find((row) => Content.functions[row.of].kind === KIND.program && (row.ownCpu || row.ownWait)) || all[0];
			shown.of = program ? program.of : 0;
		}
		if (!shown.of) return;
		const sum = all.find((row) => row.of === shown.of) || { ownCpu: 0, cpu: 0, ownWait: 0, wait: 0 }, one = Content.functions[shown.of];
		title.textContent = one.name || one.section;
		input.value = text(shown.of);
		facts.textContent = [[one.section, one.module].filter(Boolean).join(' in '), 'CPU ' + Show.time(sum.cpu) + ' (own ' + Show.time(sum.ownCpu) + ')',
			'waits ' + Show.time(sum.wait) + ' (own ' + Show.time(sum.ownWait) + ')'].filter(Boolean).join(' · ');
		const both = Calls.around(shown.metric, shown.of);
		for (const [picture, tree] of [[callers, both.callers], [callees, both.callees]]) {
			const top = tree.children[0];
			top.parent = null;
			picture.show(top);
		}
		empty.hidden = both.callees.value > 0;
		callers.element.hidden = callees.element.hidden = !empty.hidden;
		lines.replaceChildren(ownLines());
		Tables.enhance(lines);
	}
	/* Returns the statements of the procedure that have samples or waits. */
	function ownLines() {
		const rows = [];
		for (const [file, made] of Calls.lines())
			for (const [line, sum] of made)
				if (sum.of === shown.of) rows.push({ file, line, ...sum });
		rows.sort((a, b) => b.cpu + b.wait - a.cpu - a.wait);
		return rows.length ? dataTable('Its statements', Lists.lineColumns(true), rows.slice(0, 200)) : make('p.empty', { textContent: 'No line of it is known.' });
	}
	Selection.on(refresh);
	return { element, shown, callers, callees, refresh, enter() { if (stale) refresh(); else { callers.draw(); callees.draw(); } },
		open(of) { shown.of = of; stale = true; if (location.hash === '#procedure=' + of) refresh(); else location.hash = '#procedure=' + of; } };
})();
