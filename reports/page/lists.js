/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the selected part of the run: procedures, threads, transactions, reasons, data sets. */
'use strict';

const Lists = Content && (() => {
	/* Returns sums of rows by key: { cpu, wait, waited } each, ns; key(rows, row) returns the row's key. */
	function by(key) {
		const made = new Map(), amounts = Selection.amounts();
		const at = (name) => {
			if (!made.has(name)) made.set(name, { key: name, samples: 0, cpu: 0, wait: 0, waited: 0 });
			return made.get(name);
		};
		for (let row = 0; row < Content.cpu.count; row++) {
			const name = key(Content.cpu, row);
			if (!amounts.samples[row] || name === null) continue;
			at(name).samples += amounts.samples[row];
			at(name).cpu += amounts.samples[row] * Content.period;
		}
		for (let row = 0; row < Content.waits.count; row++) {
			const name = key(Content.waits, row);
			if ((!amounts.charged[row] && !amounts.waited[row]) || name === null) continue;
			at(name).wait += amounts.charged[row];
			at(name).waited += amounts.waited[row];
		}
		return [...made.values()].sort((a, b) => b.cpu + b.wait - a.cpu - a.wait || b.waited - a.waited);
	}
	const share = (ns) => (Selection.length ? 100 * ns / Selection.length : 0);
	const time = (head, key, title) => ({ id: key, head, title, number: true, value: (row) => row[key], text: (row) => row[key] ? Show.time(row[key]) : '' });
	const shared = (head, key, fill, title) => ({ id: key + '_percent', head, title, number: true, value: (row) => share(row[key]), text: (row) => row[key] ? share(row[key]).toFixed(2) : '',
		bar: (row) => share(row[key]) / 100, colour: () => 'var(--' + fill + ')' });
	const waits = [time('Step waited', 'wait', 'the part of the run charged to this'), shared('% of run', 'wait', 'w-read'), time('All threads', 'waited', 'the sum over all threads')];
	const cpu = [{ id: 'samples', head: 'Samples', number: true, value: (row) => row.samples, text: (row) => row.samples ? Show.number(row.samples) : '' },
		time('CPU', 'cpu'), shared('% of run', 'cpu', 'program-2', 'of the length of the selection; more than 100 when several threads execute at once')];
	function section(title, columns, rows, id) {
		const element = rows.length ? dataTable(title, columns, rows) : make('p.empty', { textContent: title + ': nothing in the selection.' });
		if (rows.length) element.firstChild.dataset.t = id;
		return element;
	}
	function all() {
		return [
			section('Waits by reason', [{ head: 'Reason', text: (row) => Content.reasons[row.key] }, ...waits], by((rows, row) => rows.reason ? rows.reason[row] : null), 'reasons'),
			section('Data sets and files waited for', [{ head: 'DD or file', text: (row) => Content.files[row.key].name },
				{ head: 'Data set', text: (row) => Content.files[row.key].dataSet }, { head: 'Device', text: (row) => Content.files[row.key].device }, ...waits],
			by((rows, row) => rows.file && rows.file[row] ? rows.file[row] : null), 'files'),
			section('Threads', [{ head: 'Thread', text: (row) => Content.tasks[row.key] }, ...cpu, ...waits], by((rows, row) => rows.task[row]), 'threads'),
			section('Transactions', [{ head: 'Transaction', text: (row) => Content.transactions[row.key] }, ...cpu, ...waits], by((rows, row) => rows.transaction[row]), 'transactions'),
		];
	}
	/* Procedures by time, self and including callees. */
	function functions() {
		const rows = Calls.functions(), amounts = Selection.amounts().total, cpuAll = amounts.samples * Content.period || 1, waitAll = amounts.charged || 1;
		return dataTable('Procedures', [
			{ head: 'Procedure', text: (row) => Content.functions[row.of].name || Content.functions[row.of].section, link: (row) => '#procedure=' + row.of },
			{ head: 'Section', text: (row) => Content.functions[row.of].section }, { head: 'Module', text: (row) => Content.functions[row.of].module },
			time('Own CPU', 'ownCpu'), { id: 'own_percent', head: '% of CPU', number: true, value: (row) => 100 * row.ownCpu / cpuAll, text: (row) => row.ownCpu ? (100 * row.ownCpu / cpuAll).toFixed(2) : '', bar: (row) => row.ownCpu / cpuAll },
			time('CPU', 'cpu', 'with all that it called'), { id: 'cpu_percent', head: '% of CPU', number: true, value: (row) => 100 * row.cpu / cpuAll, text: (row) => row.cpu ? (100 * row.cpu / cpuAll).toFixed(2) : '', bar: (row) => row.cpu / cpuAll },
			time('Waits', 'wait', 'the time the step waited below it'), { id: 'wait_percent', head: '% of waits', number: true, value: (row) => 100 * row.wait / waitAll, text: (row) => row.wait ? (100 * row.wait / waitAll).toFixed(2) : '', bar: (row) => row.wait / waitAll, colour: () => 'var(--w-read)' },
		], rows.slice(0, 300));
	}
	/* Columns of tables of lines. */
	function lineColumns(file) {
		return [
			...(file ? [{ head: 'Source', text: (row) => Content.texts[row.file].split('/').pop(), link: (row) => '#source=' + row.file + ':' + row.line }] : []),
			{ head: 'Line', number: true, value: (row) => row.line, text: (row) => String(row.line) },
			time('Own CPU', 'ownCpu'), time('CPU', 'cpu', 'with all that it called'), time('Waits', 'wait', 'with all that it called'),
			{ head: 'Text', text: (row) => sourceText(row.file, row.line) },
		];
	}
	const texts = new Map();
	function sourceText(file, line) {
		if (!texts.size)
			for (const source of Content.sources) texts.set(source.file, new Map(source.lines));
		return (texts.get(file) && texts.get(file).get(line) || '').trim();
	}
	const body = make('div');
	const element = make('section.view', { id: 'lists', 'aria-labelledby': 'lists-title' }, make('h2', { id: 'lists-title', textContent: 'Waits, data sets, threads, transactions' }), body);
	let stale = true;
	function refresh() {
		if (element.hidden && !document.body.classList.contains('printing')) { stale = true; return; }
		stale = false;
		body.replaceChildren(...all());
		Tables.enhance(body);
	}
	Selection.on(refresh);
	return { element, functions, lineColumns, sourceText, refresh, by, enter() { if (stale) refresh(); } };
})();
