/* SPDX-License-Identifier: Apache-2.0 */
/* The run over time: the strip above all views, on which a range is selected, and a view with all series. */
'use strict';

const Times = Content && (() => {
	const axis = Content.axis, charts = [];
	const lineColours = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10', 'c11', 'c12'];
	const chosen = { quiet: false };

	/* Activity of the step, percent of each slice: executing, and waiting by reason. */
	function parts() {
		const step = Content.groups.find((group) => group.id === 'step'), made = [];
		if (!step) return made;
		made.push({ name: 'Executing', colour: 'program-2', values: step.series[0].values });
		const waits = Content.waits, sums = new Map();
		for (let row = 0; row < waits.count; row++)
			for (let cell = waits.first[row]; cell < waits.first[row + 1]; cell++) {
				if (!waits.charged[cell]) continue;
				if (!sums.has(waits.reason[row])) sums.set(waits.reason[row], new Float64Array(axis.count));
				sums.get(waits.reason[row])[waits.slice[cell]] += 100 * waits.charged[cell] / axis.width;
			}
		const total = (values) => values.reduce((all, value) => all + value, 0);
		for (const [reason, values] of [...sums].sort((a, b) => total(b[1]) - total(a[1])))
			made.push({ name: Content.reasons[reason], colour: reasonColours[reason], values: Array.from(values) });
		return made;
	}
	/* Returns the times of a group: the start of each slice, and the end of the last. */
	function moments(group) {
		const made = [], count = Math.max(...group.series.map((one) => one.values.length));
		for (let i = 0; i <= count; i++) made.push((group.start + i * group.width) / 1e9);
		return made;
	}
	/* Returns values with the last one repeated, for the end of its slice. */
	function closed(values) {
		return [...values, values.length ? values[values.length - 1] : null];
	}
	/* Returns cumulative sums up to each series, the last first: areas drawn over each other, largest first. */
	function stacked(series) {
		const made = [];
		let below = null;
		for (const one of series) {
			below = one.values.map((value, at) => (value || 0) + (below ? below[at] : 0));
			made.unshift(closed(below));
		}
		return made;
	}
	function limits() {
		const last = Content.seconds(axis.count);
		return [Math.min(0, Content.seconds(0)), Math.max(last, Content.run / 1e9 * 0.999)];
	}
	/* Returns a chart of a group; area: series are stacked. */
	function chart(group, height, area, quiet) {
		const element = make('div.chart', { role: 'img', 'aria-label': group.title + ' through time; the table below it has the values' });
		const legend = make('p.series', { 'aria-hidden': 'true' });
		const one = { element, legend, group, made: null };
		const values = [];
		const colours = group.series.map((series, number) => series.colour || lineColours[number % lineColours.length]);
		for (const [number, series] of group.series.entries()) {
			const swatch = make('i'), value = make('b');
			swatch.style.background = 'var(--' + colours[number] + ')';
			values.push(value);
			legend.append(make('span', {}, swatch, series.name, value));
		}
		one.draw = () => {
			const width = element.clientWidth;
			if (!width) return;
			if (one.made) one.made.destroy();
			const line = colour('line'), text = colour('faint');
			const ticks = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
			const highest = Math.max(1e-9, ...group.series.flatMap((series) => series.values.map((value) => value || 0)));
			const options = {
				width, height, legend: { show: false }, padding: [6, 8, 0, 0],
				scales: { x: { time: false, range: limits() }, y: { range: (u, low, high) => [0, area ? 100 : (group.unit === '%' && highest <= 100 && highest > 50 ? 100 : Math.max(high, highest) * 1.08)] } },
				axes: [
					{ ...ticks, show: true, size: 24, values: (u, splits) => splits.map((value) => Show.moment(value)) },
					{ ...ticks, show: !quiet, size: 58, splits: undefined, space: 26, values: (u, splits) => splits.map((value) => Show.unit(value, group.unit)) },
				],
				cursor: { y: false, points: { show: false }, sync: { key: 'run' }, drag: { x: true, y: false, setScale: false, dist: 3 },
					bind: { dblclick: () => () => { Selection.set({ from: 0, to: axis.count }); return null; } } },
				series: [{}, ...group.series.map((series, number) => {
					const own = colour(colours[area ? colours.length - 1 - number : number]);
					return area ? { fill: own, stroke: own, width: 0, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }
						: { stroke: own, width: 1.5, points: { show: false }, fill: group.series.length === 1 ? own + '22' : undefined, paths: uPlot.paths.stepped({ align: 1 }) };
				})],
				hooks: {
					setSelect: [(u) => {
						if (chosen.quiet || u.select.width < 2) return;
						Selection.setSeconds(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
					}],
					setCursor: [(u) => group.series.forEach((series, number) => {
						const at = u.cursor.left >= 0 && u.cursor.idx !== null && u.cursor.idx !== undefined ? u.cursor.idx : -1;
						values[number].textContent = at < 0 ? '' : Show.unit(series.values[Math.min(at, series.values.length - 1)], group.unit);
					})],
				},
			};
			element.replaceChildren();
			one.made = new uPlot(options, [moments(group), ...(area ? stacked(group.series) : group.series.map((series) => closed(series.values)))], element);
			one.mark();
		};
		one.mark = () => {
			const u = one.made;
			if (!u) return;
			chosen.quiet = true;
			const [low, high] = limits(), scale = u.bbox.width / (window.devicePixelRatio || 1) / (high - low);
			const left = (Content.seconds(Selection.state.from) - low) * scale, right = (Content.seconds(Selection.state.to) - low) * scale;
			u.setSelect(Selection.whole ? { left: 0, top: 0, width: 0, height: 0 } : { left, top: 0, width: right - left, height: u.bbox.height / (window.devicePixelRatio || 1) }, false);
			chosen.quiet = false;
		};
		new ResizeObserver(() => one.draw()).observe(element);
		charts.push(one);
		return one;
	}
	/* Returns the values of a group in rows of slices; if there are many, neighbours are merged. */
	function table(group) {
		const count = group.series.length ? group.series[0].values.length : 0, step = Math.max(1, Math.ceil(count / 50)), rows = [];
		for (let i = 0; i < count; i += step) rows.push(i);
		const mean = (values, at) => {
			const some = values.slice(at, at + step).filter((value) => value !== null);
			return some.length ? some.reduce((a, b) => a + b, 0) / some.length : null;
		};
		return dataTable(group.title, [
			{ head: 'From', number: true, value: (at) => group.start + at * group.width, text: (at) => Show.moment((group.start + at * group.width) / 1e9) },
			...group.series.map((series) => ({ head: series.name, number: true, value: (at) => mean(series.values, at) || 0, text: (at) => Show.unit(mean(series.values, at), group.unit) })),
		], rows);
	}
	const step = { id: 'parts', title: 'The step: executing and waiting, percent of the time', unit: '%', start: axis.start, width: axis.width, series: parts() };
	const strip = step.series.length ? chart(step, 84, true, true) : null;
	const element = make('section.view', { id: 'time', 'aria-labelledby': 'time-title' }, make('h2', { id: 'time-title', textContent: 'The run through time' }),
		make('p.hint', { textContent: 'Drag over a chart to select a part of the run: all views follow. A double click shows the whole run again.' }));
	const groups = [step, ...Content.groups.filter((group) => group.id !== 'step')].filter((group) =>
		group.series.length && group.series.some((series) => series.values.some((value) => value)));
	for (const group of groups) {
		const one = chart(group, group === step ? 200 : 130, group === step, false);
		element.append(make('section.course', {}, make('h3', { textContent: group.title }), one.legend, one.element, alternative('The same as a table', () => table(group))));
	}
	if (!groups.length) element.append(make('p.empty', { textContent: 'The data set has no data by time.' }));

	/* Input fields for the range in seconds, for keyboard use. */
	const width = axis.width / 1e9, digits = Math.max(0, Math.min(3, Math.ceil(-Math.log10(width))));
	function field(label, of) {
		return make('input', { type: 'number', step: width.toFixed(6), min: '0', 'aria-label': label, onchange: () => {
			const from = of === 'from' ? Number(fields.from.value) : Content.seconds(Selection.state.from);
			const to = of === 'to' ? Number(fields.to.value) : Content.seconds(Selection.state.to);
			if (Number.isFinite(from) && Number.isFinite(to) && from < to) Selection.setSeconds(from, to); else show();
		} });
	}
	const fields = { from: field('Selected from, seconds', 'from'), to: field('Selected to, seconds', 'to') };
	function show() {
		fields.from.value = Content.seconds(Selection.state.from).toFixed(digits);
		fields.to.value = Content.seconds(Selection.state.to).toFixed(digits);
		for (const one of charts) one.mark();
	}
	Selection.on(show);
	return { element, strip, fields, show, redraw() { for (const one of charts) one.draw(); }, enter() {}, groups, digits };
})();
