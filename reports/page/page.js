/* SPDX-License-Identifier: Apache-2.0 */
/* The page: its views, navigation between them, the theme, the selection, and printing. */
'use strict';

(() => {
	const main = document.getElementById('main'), root = document.documentElement, header = document.querySelector('header');
	const first = document.getElementById('first');
	const parts = [Flames, Procedure, Times && Times.groups.length && Times, Lines, Content && Content.any && Lists, Difference, Trend].filter(Boolean);
	const names = { first: 'Where to look first', flames: 'Flame graph', procedure: 'Procedure', time: 'Through time', source: 'Source', lists: 'Waits and data sets', difference: 'Flame graph of the differences', trend: 'Through the nights' };
	const anchor = first ? first.nextSibling : main.firstChild;
	/* The tables of a comparison come first: they show which differences are real. */
	for (const part of parts) main.insertBefore(part.element, part === Difference ? null : anchor);
	const views = [...main.querySelectorAll('section.view')];
	const part = (id) => parts.find((one) => one.element.id === id);

	/* Navigation. */
	const nav = make('nav', { 'aria-label': 'Views and reports' });
	const own = make('ul'), reports = make('ul');
	for (const view of views) {
		const report = view.classList.contains('report'), title = view.querySelector('h2');
		const link = make('a', { href: '#' + view.id });
		if (report) link.append(make('span.code', { textContent: view.id }), ' ', title.textContent.slice(view.id.length).trim());
		else link.textContent = names[view.id] || title.textContent;
		(report ? reports : own).append(make('li', {}, link));
	}
	if (own.children.length) nav.append(own);
	if (reports.children.length) nav.append(make('h2', { textContent: 'Reports' }), reports);
	main.before(nav);

	/* The theme: the system's unless another is chosen. */
	const media = matchMedia('(prefers-color-scheme: dark)');
	const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : media.matches;
	const theme = make('button.theme', { type: 'button', onclick: () => { root.dataset.theme = dark() ? 'light' : 'dark'; retheme(); } });
	function retheme() {
		theme.textContent = dark() ? 'Light' : 'Dark';
		theme.setAttribute('aria-label', dark() ? 'Use the light theme' : 'Use the dark theme');
		redraw();
	}
	media.addEventListener('change', retheme);
	header.append(theme);
	function redraw() {
		if (Times) Times.redraw();
		if (Flames) Flames.picture.draw();
		if (Difference) Difference.picture.draw();
		if (Procedure) { Procedure.callers.draw(); Procedure.callees.draw(); }
	}

	/* The selection. */
	const told = make('p.narrowed', { role: 'status', hidden: true });
	if (Content && Content.any) choose();
	function choose() {
		const numbered = (texts) => texts.map((text, number) => [number, text]);
		const task = list('Thread', [[-1, 'All threads'], ...numbered(Content.tasks)], (value) => Selection.set({ task: Number(value) }));
		const transaction = list('Transaction', [[-1, 'All transactions'], ...numbered(Content.transactions)], (value) => Selection.set({ transaction: Number(value) }));
		const reset = make('button', { type: 'button', textContent: 'Whole run', onclick: () => Selection.set({ from: 0, to: Content.axis.count, task: -1, transaction: -1 }) });
		const sum = make('output');
		const tools = make('div.tools', {}, make('label', {}, 'From ', Times.fields.from), make('label', {}, 'to ', Times.fields.to, ' s'),
			Content.tasks.length > 1 ? task : null, Content.transactions.length > 1 ? transaction : null, reset, sum);
		const element = make('section.selection', { 'aria-label': 'What is selected' }, Times.strip ? Times.strip.element : null, Times.strip ? Times.strip.legend : null, tools);
		nav.before(element);
		const show = () => {
			const amounts = Selection.amounts().total;
			task.value = String(Selection.state.task);
			transaction.value = String(Selection.state.transaction);
			reset.disabled = !Selection.narrowed;
			sum.textContent = Show.number(amounts.samples) + ' samples · CPU ' + Show.time(amounts.samples * Content.period) + ' · waits ' + Show.time(amounts.charged);
			told.hidden = !Selection.narrowed;
		};
		told.textContent = 'A part of the run is selected. Tables of reports with a column SELECTED show the rows of that part; other reports cover the whole run, and all other views show the part.';
		Selection.on(show);
		show();
		Times.show();
	}
	main.prepend(told);

	/* Findings link to their procedures. Findings for a part of the run are made here. */
	function lead(item) {
		const strong = item.querySelector('strong'), name = strong.textContent.replace(/ line [0-9].*/, '');
		const of = Content.functions.find((one) => one.number && one.name === name && (one.kind === KIND.wait) === item.classList.contains('wait'));
		const link = make('a', { href: of && of.kind !== KIND.wait ? '#procedure=' + of.number : '#flames', textContent: strong.textContent });
		if (!of || of.kind === KIND.wait) link.addEventListener('click', () => Flames.find(name));
		strong.replaceChildren(link);
	}
	function finding(one) {
		const percent = 100 * one.ns / Selection.length, of = Content.functions[one.of];
		const meter = bar(percent / 100, one.wait ? 'var(--w-read)' : undefined);
		const item = make('li.' + (one.wait ? 'wait' : 'cpu'), { 'data-v': String(percent) }, make('b', { textContent: percent.toFixed(1) + ' %' }), meter,
			make('p', {}, make('strong', { textContent: of.name + (one.line ? ' line ' + one.line : '') }), ' ', make('span', { textContent: one.wait ? 'waiting' : 'CPU time' }),
				make('br'), make('code', { textContent: one.line ? of.section + ': ' + Lists.sourceText(one.file, one.line) : '' })));
		lead(item);
		return item;
	}
	if (first && Flames) {
		const heading = first.querySelector('h2'), whole = [...first.querySelectorAll('.findings > li')], items = first.querySelector('.findings');
		whole.forEach(lead);
		Selection.on(() => {
			heading.textContent = Selection.narrowed ? 'Where to look first in the selection' : names.first;
			items.replaceChildren(...(Selection.narrowed ? Calls.heaviest().filter((one) => one.ns >= Selection.length / 100).slice(0, 10).map(finding) : whole));
		});
	}

	/* Navigation between views: the part after # in the address. */
	function route() {
		const wanted = decodeURIComponent(location.hash.slice(1)), [id, argument] = wanted.split('=');
		const view = views.find((one) => one.id === id) || views[0];
		if (!view) return;
		if (argument && view.id === 'procedure' && Number(argument) in Content.functions) Procedure.shown.of = Number(argument);
		if (argument && view.id === 'source') Lines.open(...argument.split(':').map(Number));
		for (const one of views) one.hidden = one !== view;
		for (const link of nav.querySelectorAll('a')) {
			if (link.hash === '#' + view.id) link.setAttribute('aria-current', 'page');
			else link.removeAttribute('aria-current');
		}
		const current = nav.querySelector('[aria-current]');
		if (current && nav.scrollWidth > nav.clientWidth) current.scrollIntoView({ block: 'nearest', inline: 'center' });
		if (view.classList.contains('report')) {
			if (Selected) Selected.follow(view);
			Tables.enhance(view);
		}
		const shown = part(view.id);
		if (shown && argument) shown.refresh();
		else if (shown) shown.enter();
	}
	addEventListener('hashchange', () => { scrollTo(0, 0); route(); main.focus({ preventScroll: true }); });

	/* Printing: all views, in the light theme, at paper width. */
	let before = '';
	addEventListener('beforeprint', () => {
		before = root.dataset.theme || '';
		root.dataset.theme = 'light';
		document.body.classList.add('printing');
		for (const one of views) one.hidden = false;
		for (const one of parts) if (one.refresh) one.refresh();
		redraw();
	});
	addEventListener('afterprint', () => {
		if (before) root.dataset.theme = before; else delete root.dataset.theme;
		document.body.classList.remove('printing');
		route();
		redraw();
	});

	document.body.classList.add('ready');
	retheme();
	route();
	/* For tests, and for users of a browser's developer tools. */
	window.vigilPage = { Content, Selection, Selected, Calls, Lists, Flames, Procedure, Times, Difference, Trend, ready: performance.now() };
})();
