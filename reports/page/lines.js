/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of the program, with the time spent at each line. */
'use strict';

const Lines = Content && Content.any && Content.sources.length && (() => {
	const shown = { file: 0, line: 0 };
	const files = list('Source file', [], (value) => { location.hash = '#source=' + value; });
	const state = make('p.hint', { 'aria-live': 'polite' }), body = make('div');
	const element = make('section.view', { id: 'source', 'aria-labelledby': 'source-title' }, make('h2', { id: 'source-title', textContent: 'Source' }),
		make('div.tools', {}, files), state, body);
	const states = { whole: '', parts: 'This page has only the recorded lines and those around them.',
		changed: 'The file has changed: only the lines in the data set are shown.',
		missing: 'The source could not be read: only the lines in the data set are shown.' };
	let stale = true;

	/* Returns sources sorted by the time at their lines. */
	function order(sums) {
		const weight = (source) => {
			let all = 0;
			for (const sum of (sums.get(source.file) || new Map()).values()) all += sum.ownCpu + sum.ownWait;
			return all;
		};
		return Content.sources.map((source) => [source, weight(source)]).sort((a, b) =>
			(b[0].state !== 'missing') - (a[0].state !== 'missing') || b[1] - a[1] || a[0].file - b[0].file);
	}
	function cell(value, highest, name, fill) {
		const made = make('td.n', { 'data-v': String(value) }, value ? bar(value / highest, fill) : null, value ? Show.time(value) : '');
		made.setAttribute('aria-label', value ? name + ' ' + Show.time(value) : name + ' none');
		return made;
	}
	function refresh() {
		if (element.hidden && !document.body.classList.contains('printing')) { stale = true; return; }
		stale = false;
		const sums = Calls.lines(), sorted = order(sums);
		if (!shown.file) shown.file = sorted[0][0].file;
		files.replaceChildren(...sorted.map(([source]) => make('option', { value: String(source.file), textContent: Content.texts[source.file], selected: source.file === shown.file })));
		const source = Content.sources.find((one) => one.file === shown.file) || sorted[0][0];
		state.textContent = states[source.state];
		state.hidden = !state.textContent;
		body.replaceChildren(table(source, sums.get(source.file) || new Map()));
		const target = shown.line ? document.getElementById('line-' + shown.line) : body.querySelector('tr.hottest');
		if (target && !element.hidden) target.scrollIntoView({ block: 'center' });
	}
	function table(source, sums) {
		const highest = { ownCpu: 0, cpu: 0, wait: 0 };
		for (const sum of sums.values())
			for (const key of Object.keys(highest)) highest[key] = Math.max(highest[key], sum[key]);
		const rows = make('tbody'), hottest = [...sums].sort((a, b) => b[1].cpu + b[1].wait - a[1].cpu - a[1].wait || b[0] - a[0])[0];
		let before = 0;
		for (const [line, text] of source.lines) {
			const sum = sums.get(line) || { ownCpu: 0, cpu: 0, wait: 0 };
			if (before && line !== before + 1) rows.append(make('tr.gap', {}, make('td', { colspan: '5', textContent: '⋯' })));
			before = line;
			const row = make('tr', { id: 'line-' + line }, make('th', { scope: 'row', textContent: String(line) }),
				cell(sum.ownCpu, highest.ownCpu, 'own CPU', 'var(--program-2)'), cell(sum.cpu, highest.cpu, 'CPU', 'var(--program-3)'), cell(sum.wait, highest.wait, 'waits', 'var(--w-read)'),
				make('td.code', {}, make('code', { textContent: text || '(not known)' })));
			if (sum.cpu || sum.wait) row.className = 'hot';
			if (hottest && line === hottest[0]) row.classList.add('hottest');
			if (line === shown.line) row.classList.add('target');
			rows.append(row);
		}
		const head = make('tr', {}, ...[['Line', ''], ['Own CPU', 'CPU time at the line itself'], ['CPU', 'with all that the line called'], ['Waits', 'with all that the line called'], ['Source', '']]
			.map(([name, title], number) => make('th' + (number && number < 4 ? '.n' : ''), { scope: 'col', textContent: name, title })));
		return make('div.table.source', { role: 'region', tabIndex: 0, 'aria-label': 'Source with times' }, make('table', { 'data-t': 'source' }, make('thead', {}, head), rows));
	}
	Selection.on(refresh);
	return { element, refresh, enter() { if (stale) refresh(); },
		open(file, line) { shown.file = file; shown.line = line || 0; stale = true; } };
})();
