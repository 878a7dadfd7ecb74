/* SPDX-License-Identifier: Apache-2.0 */
/* Elements and texts. All text is set through textContent, so names are never interpreted as markup. */
'use strict';

/* make('p.note', { title: 'x', onclick: f }, 'text', child) returns an element with classes, properties and children. */
function make(what, properties, ...children) {
	const [name, ...classes] = what.split('.');
	const element = document.createElement(name);
	if (classes.length) element.className = classes.join(' ');
	for (const [key, value] of Object.entries(properties || {})) {
		if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
		else if (key.startsWith('aria') || key.startsWith('data') || key === 'role' || key === 'for' || key === 'scope' || key === 'list' || key === 'colspan')
			element.setAttribute(key, value);
		else element[key] = value;
	}
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

const Show = {
	percent(value) {
		return value >= 99.95 || value === 0 ? value.toFixed(0) + ' %' : value < 0.1 ? '<0.1 %' : value.toFixed(1) + ' %';
	},
	/* Returns ns as text with a suitable unit. */
	time(ns) {
		const seconds = ns / 1e9;
		if (seconds >= 3600) return Math.floor(seconds / 3600) + ' h ' + Math.floor(seconds % 3600 / 60) + ' min';
		if (seconds >= 60) return Math.floor(seconds / 60) + ' min ' + (seconds % 60).toFixed(1) + ' s';
		if (seconds >= 1) return seconds.toFixed(2) + ' s';
		if (ns >= 1e6) return (ns / 1e6).toFixed(1) + ' ms';
		if (ns >= 1e3) return (ns / 1e3).toFixed(1) + ' µs';
		return Math.round(ns) + ' ns';
	},
	/* Returns a time within the run, given in seconds, as text: as a clock for long runs. */
	moment(seconds) {
		if (Content.run < 600e9) return seconds.toFixed(seconds < 100 ? 2 : 1) + ' s';
		const minutes = Math.floor(seconds / 60);
		const clock = String(minutes % 60).padStart(2, '0') + ':' + String(Math.floor(seconds % 60)).padStart(2, '0');
		return minutes >= 60 ? Math.floor(minutes / 60) + ':' + clock : clock;
	},
	number(value) {
		return Math.round(value).toLocaleString('en-US');
	},
	bytes(value) {
		const units = ['', 'K', 'M', 'G', 'T', 'P'];
		let unit = 0;
		while (value >= 1000 && unit < units.length - 1) { value /= 1024; unit++; }
		return (value >= 100 || unit === 0 ? value.toFixed(0) : value.toFixed(1)) + ' ' + units[unit] + 'B';
	},
	unit(value, unit) {
		if (value === null || value === undefined) return '–';
		if (unit === 'B') return Show.bytes(value);
		if (unit === 'B/s') return Show.bytes(value) + '/s';
		if (unit === '%') return (value < 9.95 ? value.toFixed(1) : value.toFixed(0)) + ' %';
		return value >= 1000 ? Show.number(value) : String(+value.toPrecision(3));
	},
};

/* Returns a colour of the style by its name. */
function colour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

/* Returns the colour of waits for a reason; similar reasons share one. */
const reasonColours = ['', 'w-other', 'w-read', 'w-write', 'w-sync', 'w-file', 'w-socket', 'w-pipe', 'w-terminal', 'w-lock', 'w-sleep',
	'w-child', 'w-page', 'w-poll', 'w-signal', 'w-dispatch', 'w-stopped', 'w-other'];
function reasonColour(reason) {
	return colour(reasonColours[reason] || 'w-other');
}

/* Returns a choice of one among a few: buttons, one of them pressed. */
function choice(label, values, chosen, choose) {
	const group = make('div.choice', { role: 'group', 'aria-label': label });
	for (const [value, text, title] of values)
		group.append(make('button', { type: 'button', textContent: text, title: title || '', 'aria-pressed': String(value === chosen),
			'data-value': value, onclick: () => { mark(value); choose(value); } }));
	function mark(value) {
		for (const button of group.children) button.setAttribute('aria-pressed', String(button.dataset.value === value));
	}
	group.mark = mark;
	return group;
}

/* Returns a drop-down list; each item is [value, text]. */
function list(label, values, choose) {
	const select = make('select', { 'aria-label': label, onchange: () => choose(select.value) });
	for (const [value, text] of values) select.append(make('option', { value: String(value), textContent: text }));
	return select;
}

/* Returns a table of rows; columns are { head, text(row), value(row), number, bar(row), link(row), id }. */
function dataTable(caption, columns, rows) {
	const table = make('table', { 'data-t': 'page' }, caption ? make('caption', { textContent: caption }) : null);
	const head = make('tr');
	for (const column of columns)
		head.append(make('th' + (column.number ? '.n' : ''), { scope: 'col', textContent: column.head, title: column.title || '', 'data-c': column.id || '' }));
	const body = make('tbody');
	for (const row of rows) {
		const line = make('tr');
		columns.forEach((column, number) => {
			const cell = make(number ? 'td' : 'th', number ? {} : { scope: 'row' });
			const text = column.text(row), link = column.link && column.link(row);
			if (column.number) cell.className = 'n';
			if (column.value) cell.dataset.v = String(column.value(row));
			if (column.bar) cell.append(bar(column.bar(row), column.colour && column.colour(row)));
			if (column.depth) cell.style.paddingLeft = (8 + 14 * column.depth(row)) + 'px';
			cell.append(link ? make('a', { href: link, textContent: text }) : document.createTextNode(text));
			line.append(cell);
		});
		body.append(line);
	}
	table.append(make('thead', {}, head), body);
	return make('div.table', { role: 'region', tabIndex: 0, 'aria-label': caption || 'Table' }, table);
}

/* Returns a bar for a share from 0 to 1, shown after the number itself. */
function bar(share, fill) {
	const inner = make('i');
	inner.style.width = (100 * Math.max(0, Math.min(1, share || 0))).toFixed(2) + '%';
	if (fill) inner.style.background = fill;
	return make('span.meter', { 'aria-hidden': 'true' }, inner);
}

/* Returns the alternative form of a picture: closed at first, and built when it is opened. */
function alternative(title, fill) {
	const details = make('details.alternative', {}, make('summary', { textContent: title }));
	const body = make('div');
	details.append(body);
	details.addEventListener('toggle', () => details.refresh());
	details.refresh = () => { if (details.open) body.replaceChildren(...[fill()].flat()); };
	return details;
}
