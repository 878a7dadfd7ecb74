/* SPDX-License-Identifier: Apache-2.0 */
/* The selected part of the run: a range of time, a thread, a transaction. All views follow it. */
'use strict';

const Selection = Content && (() => {
	const state = { from: 0, to: Content.axis.count, task: -1, transaction: -1 };
	const listeners = [];
	let kept = null;

	/* Returns the selected amounts of the rows of one account (range, thread and transaction): for each of keys, by row. */
	function sums(rows, keys) {
		const made = {};
		for (const key of keys) made[key] = new Float64Array(rows.count);
		for (let row = 0; row < rows.count; row++) {
			if (state.task >= 0 && rows.task[row] !== state.task) continue;
			if (state.transaction >= 0 && rows.transaction[row] !== state.transaction) continue;
			for (let cell = rows.first[row]; cell < rows.first[row + 1]; cell++)
				if (rows.slice[cell] >= state.from && rows.slice[cell] < state.to)
					for (const key of keys) made[key][row] += rows[key][cell];
		}
		return made;
	}
	function total(values) {
		let sum = 0;
		for (const value of values) sum += value;
		return sum;
	}
	return {
		state,
		get whole() { return state.from === 0 && state.to === Content.axis.count; },
		get narrowed() { return !this.whole || state.task >= 0 || state.transaction >= 0; },
		/* Length of the range, ns. */
		get length() { return this.whole ? Content.run : (state.to - state.from) * Content.axis.width; },
		set(change) {
			Object.assign(state, change);
			state.from = Math.max(0, Math.min(Content.axis.count - 1, Math.floor(state.from)));
			state.to = Math.max(state.from + 1, Math.min(Content.axis.count, Math.ceil(state.to)));
			kept = null;
			for (const listener of listeners) listener();
		},
		/* Sets the range, in seconds of the run. */
		setSeconds(from, to) {
			const slice = (seconds) => (seconds * 1e9 - Content.axis.start) / Content.axis.width;
			this.set({ from: slice(from) + 1e-6, to: slice(to) - 1e-6 });
		},
		on(listener) { listeners.push(listener); },
		/* Returns samples by row of cpu; charged and waited by row of waits; and their sums. */
		amounts() {
			if (kept) return kept;
			const cpu = sums(Content.cpu, ['amount']), waits = sums(Content.waits, ['charged', 'amount']);
			kept = { samples: cpu.amount, charged: waits.charged, waited: waits.amount,
				total: { samples: total(cpu.amount), charged: total(waits.charged), waited: total(waits.amount) } };
			return kept;
		},
	};
})();
