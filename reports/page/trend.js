/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a trend (page-trend.h): a line over the nights for each figure, whose points link to the profile of their night. */
'use strict';

const Trend = (() => {
	const element = document.getElementById('trend-content');
	if (!element) return null;
	const raw = JSON.parse(element.textContent);
	const width = 720, height = 150, margin = { left: 66, right: 14, top: 12, bottom: 24 };
	const show = (value, unit) => unit === 's' ? Show.time(value * 1e9) : Show.unit(value, unit);

	/* The namespace of SVG, obtained from the browser: the page contains no addresses. */
	const sample = document.createElement('template');
	sample.innerHTML = '<svg></svg>';
	const space = sample.content.firstChild.namespaceURI;

	/* Returns an SVG element with attributes and children. */
	function draw(name, attributes, ...children) {
		const made = document.createElementNS(space, name);
		for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
		made.append(...children);
		return made;
	}
	/* Returns the ends of an axis: it begins at zero, unless differences are small compared with the amount. */
	function limits(values) {
		const known = values.filter((value) => value !== null);
		let low = Math.min(...known), high = Math.max(...known);
		if (low < high / 2) low = 0;
		if (high <= low) high = low > 0 ? low * 1.05 : 1;
		const room = low > 0 ? (high - low) * 0.1 : 0;
		return [Math.max(0, low - room), high + (high - low) * 0.05];
	}
	function describe(figure, number) {
		const night = raw.nights[number];
		return night.night + ': ' + figure.name.toLowerCase() + ' ' + show(figure.values[number], figure.unit) + ', code ' + night.code +
			(night.runs > 1 ? ', median of ' + night.runs + ' runs' : '') + (night.differs ? '; ' + night.difference : '');
	}
	function point(figure, number, x, y) {
		const night = raw.nights[number], text = describe(figure, number);
		const dot = draw('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: night.differs ? 5 : 3.5, class: 'dot' + (night.differs > 0 ? ' more' : night.differs < 0 ? ' less' : '') },
			draw('title', {}, text));
		return night.link ? draw('a', { href: night.link, 'aria-label': text }, dot) : dot;
	}
	/* One figure: its line is interrupted where the value is unknown. */
	function chart(figure) {
		const [low, high] = limits(figure.values), count = raw.nights.length;
		const x = (number) => margin.left + (width - margin.left - margin.right) * (count > 1 ? number / (count - 1) : 0.5);
		const y = (value) => height - margin.bottom - (height - margin.top - margin.bottom) * (value - low) / (high - low);
		const picture = draw('svg', { viewBox: '0 0 ' + width + ' ' + height, role: 'group', 'aria-label': figure.name + ' by night; the table of nights has the values' });
		for (const value of [low, (low + high) / 2, high])
			picture.append(draw('line', { class: 'grid', x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value) }),
				draw('text', { class: 'mark', x: margin.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, show(value, figure.unit)));
		picture.append(draw('line', { class: 'median', x1: margin.left, x2: width - margin.right, y1: y(figure.median), y2: y(figure.median) }, draw('title', {}, 'Median ' + show(figure.median, figure.unit))));
		for (const number of new Set([0, count - 1]))
			picture.append(draw('text', { class: 'mark', x: x(number), y: height - 6, 'text-anchor': count === 1 ? 'middle' : number ? 'end' : 'start' }, raw.nights[number].night));
		let path = '', open = false;
		figure.values.forEach((value, number) => {
			if (value !== null) path += (open ? 'L' : 'M') + x(number).toFixed(1) + ' ' + y(value).toFixed(1);
			open = value !== null;
		});
		picture.append(draw('path', { class: 'course', d: path }));
		figure.values.forEach((value, number) => { if (value !== null) picture.append(point(figure, number, x(number), y(value))); });
		return make('section.trend', { 'data-figure': figure.id }, make('h3', { textContent: figure.name }), picture);
	}
	const note = make('p', { textContent: 'Each point is a night and leads to the profile of its last run, if it still exists. The broken line is the median. ' +
		'Large points differ from the previous nights by more than the scatter of those nights.' });
	const view = make('section.view', { id: 'trend', 'aria-labelledby': 'trend-title' }, make('h2', { id: 'trend-title', textContent: 'Through the nights' }), note, ...raw.figures.map(chart));
	return { element: view, raw, enter() {} };
})();
