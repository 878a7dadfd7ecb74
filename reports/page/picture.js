/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph on a canvas: boxes as wide as their time, callers above. Zoom, search, keyboard. */
'use strict';

class Picture {
	/* label: for screen readers; open(node) is called for a double click on a box, or by a key;
	   upward: the root is at the bottom. */
	constructor(label, open, upward) {
		this.upward = upward;
		this.canvas = make('canvas', { tabIndex: 0, role: 'application', 'aria-roledescription': 'flame graph', 'aria-label': label +
			'. Arrow keys move between callers, callees and neighbours; Enter zooms, Escape shows all, o opens the procedure.' });
		this.tip = make('div.tip', { hidden: true, 'aria-hidden': 'true' });
		this.live = make('p.picture-line', { 'aria-live': 'polite' });
		this.element = make('div.picture', {}, this.canvas, this.tip, this.live);
		this.open = open;
		this.height = 20;
		this.search = null;
		this.canvas.addEventListener('mousemove', (event) => this.hover(event));
		this.canvas.addEventListener('mouseleave', () => { this.tip.hidden = true; this.pointed = null; this.draw(); });
		this.canvas.addEventListener('click', (event) => this.click(event));
		this.canvas.addEventListener('dblclick', (event) => { const box = this.at(event); if (box) this.open(box.node); });
		this.canvas.addEventListener('keydown', (event) => this.key(event));
		this.canvas.addEventListener('focus', () => { if (!this.current) this.point(this.zoomed || this.root); });
		new ResizeObserver(() => this.draw()).observe(this.element);
	}
	/* Shows a tree; path keeps the zoom if the tree has the same functions. */
	show(root) {
		const path = [];
		for (let one = this.zoomed; one && one.parent; one = one.parent) path.unshift(one.label === undefined ? one.of : one.label);
		this.root = root;
		this.zoomed = root;
		for (const step of path) {
			const next = this.zoomed.children.find((child) => (child.label === undefined ? child.of : child.label) === step);
			if (!next) break;
			this.zoomed = next;
		}
		this.current = this.pointed = null;
		this.live.textContent = '';
		this.draw();
	}
	name(node) {
		return node.label !== undefined ? node.label : Content.functions[node.of].name || Content.functions[node.of].section;
	}
	describe(node) {
		const all = this.root.value || 1, parts = [this.name(node)];
		const of = node.label === undefined ? Content.functions[node.of] : null;
		if (of && of.kind !== KIND.wait && (of.section || of.module)) parts.push([of.section, of.module].filter(Boolean).join(' in '));
		parts.push(Show.time(node.value) + ', ' + Show.percent(100 * node.value / all));
		if (node.cpu && node.wait) parts.push('CPU ' + Show.time(node.cpu) + ', waiting ' + Show.time(node.wait));
		if (node.own && node.own !== node.value) parts.push('own ' + Show.time(node.own));
		return parts;
	}
	colour(node) {
		if (node.label !== undefined) return this.palette.group;
		const of = Content.functions[node.of];
		if (of.kind === KIND.wait) return this.palette.reasons[of.reason] || this.palette.unknown;
		const shades = this.palette.kinds[of.kind];
		return shades[of.number * 7 % shades.length];
	}
	/* Colours of the theme, read once per drawing. */
	read() {
		const shades = (name) => [1, 2, 3, 4].map((number) => colour(name + '-' + number));
		this.palette = { kinds: [shades('program'), shades('system'), shades('kernel'), shades('unknown')], group: colour('group'),
			unknown: colour('unknown-1'), reasons: reasonColours.map((name) => name && colour(name)), text: colour('on-box'), page: colour('panel'),
			dim: colour('dim-box'), dimText: colour('dim-text'), found: colour('found'), focus: colour('focus') };
	}
	/* Lays out the visible boxes: the zoomed node's callers over the whole width, its callees by their time. */
	layout(width) {
		const boxes = [];
		for (let one = this.zoomed; one; one = one.parent)
			boxes.push({ node: one, x: 0, width, y: one.depth - this.root.depth, above: one !== this.zoomed });
		const scale = this.zoomed.value ? width / this.zoomed.value : 0;
		const queue = [[this.zoomed, 0]];
		let deepest = this.zoomed.depth;
		while (queue.length) {
			const [node, left] = queue.pop();
			let x = left;
			for (const child of node.children) {
				const wide = child.value * scale;
				if (wide < 0.4) { x += wide; continue; }
				boxes.push({ node: child, x, width: wide, y: child.depth - this.root.depth, above: false });
				if (child.depth > deepest) deepest = child.depth;
				queue.push([child, x]);
				x += wide;
			}
		}
		this.boxes = boxes;
		this.rows = deepest - this.root.depth + 1;
	}
	draw() {
		const width = this.element.clientWidth;
		if (!this.root || !width) return;
		this.read();
		this.layout(width);
		const ratio = window.devicePixelRatio || 1, height = this.rows * this.height + 1, context = this.canvas.getContext('2d');
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.height = height + 'px';
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.font = '11.5px ' + getComputedStyle(document.body).fontFamily;
		context.textBaseline = 'middle';
		if (this.upward)
			for (const box of this.boxes) box.y = this.rows - 1 - box.y;
		for (const box of this.boxes) this.box(context, box);
		this.current = this.current && this.boxes.some((box) => box.node === this.current) ? this.current : null;
	}
	box(context, box) {
		const found = this.search && this.search(box.node), dim = this.search && !found;
		const x = box.x, y = box.y * this.height, width = Math.max(box.width - (box.width > 3 ? 1 : 0), 0.5), height = this.height - 1;
		context.globalAlpha = box.above ? 0.55 : 1;
		context.fillStyle = dim ? this.palette.dim : found ? this.palette.found : this.colour(box.node);
		context.beginPath();
		context.roundRect(x, y, width, height, width > 6 ? 2.5 : 0);
		context.fill();
		if (box.node === this.current || box.node === this.pointed) {
			context.lineWidth = box.node === this.current ? 2 : 1.2;
			context.strokeStyle = this.palette.focus;
			context.stroke();
		}
		if (width > 28) {
			context.fillStyle = dim ? this.palette.dimText : this.palette.text;
			context.fillText(this.fit(context, this.name(box.node), width - 8), x + 4, y + height / 2 + 0.5);
		}
		context.globalAlpha = 1;
	}
	/* Returns as much of a name as fits. */
	fit(context, name, room) {
		if (name.length > 400) name = name.slice(0, 400);
		if (context.measureText(name).width <= room) return name;
		let low = 0, high = name.length;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (context.measureText(name.slice(0, middle) + '…').width <= room) low = middle; else high = middle - 1;
		}
		return low ? name.slice(0, low) + '…' : '';
	}
	at(event) {
		const bounds = this.canvas.getBoundingClientRect(), x = event.clientX - bounds.left, row = Math.floor((event.clientY - bounds.top) / this.height);
		return (this.boxes || []).find((box) => box.y === row && x >= box.x && x < box.x + Math.max(box.width, 1.5));
	}
	hover(event) {
		const box = this.at(event), node = box ? box.node : null, bounds = this.element.getBoundingClientRect();
		this.tip.hidden = !node;
		if (node !== this.pointed) { this.pointed = node; this.draw(); }
		if (!node) return;
		this.tip.replaceChildren(...this.describe(node).map((text, number) => make(number ? 'div' : 'b', { textContent: text })));
		const x = event.clientX - bounds.left, y = event.clientY - bounds.top;
		this.tip.style.left = Math.max(0, Math.min(x + 14, bounds.width - this.tip.offsetWidth - 4)) + 'px';
		this.tip.style.top = (y + 18) + 'px';
	}
	click(event) {
		const box = this.at(event);
		if (!box) return;
		this.point(box.node);
		this.zoom(box.node);
	}
	zoom(node) {
		this.zoomed = node;
		this.current = node;
		this.draw();
	}
	/* Makes a box the one that keys act on, and announces it. */
	point(node) {
		this.current = node;
		this.live.textContent = this.describe(node).join(' · ');
		this.draw();
	}
	key(event) {
		const node = this.current || this.zoomed, parent = node.parent;
		const beside = (step) => parent && parent.children[parent.children.indexOf(node) + step];
		const inner = node.children[0];
		const moves = { ArrowUp: this.upward ? inner : parent, ArrowDown: this.upward ? parent : inner, ArrowLeft: beside(-1), ArrowRight: beside(1), Home: this.root };
		if (event.key in moves) {
			const next = moves[event.key];
			if (next && next.value) {
				if (!this.boxes.some((box) => box.node === next)) this.zoomed = parent && next.parent === parent ? parent : next;
				this.point(next);
			}
		} else if (event.key === 'Enter' || event.key === ' ') {
			this.zoom(node);
		} else if (event.key === 'Escape') {
			this.zoom(this.root);
			this.point(this.root);
		} else if (event.key === 'o') {
			this.open(node);
		} else {
			return;
		}
		event.preventDefault();
	}
}
