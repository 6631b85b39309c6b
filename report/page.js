// SPDX-License-Identifier: GPL-2.0-only
// The tables of a report: page_data.h says what is in the data. Words of the
// data become text nodes and never HTML, as any of them may be anybody's.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const VERDICT = 0, A = 1, B = 2, MORE = 3; // of a cell
const OBJECT = 0, PROGRAM = 1, ROW_VERDICT = 2, WHY = 3, CELLS = 4, LISTS = 5; // of a row
const ROWS_AT_ONCE = 200;

// ---- elements -------------------------------------------------------------

function fill(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith("on"))
			node.addEventListener(name.slice(2), value);
		else if (value !== null && value !== undefined)
			node.setAttribute(name, value);
	}
	node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined));
	return node;
}

function el(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function option(value, text, selected) {
	return el("option", { value, selected: selected ? "" : null }, text);
}

function labelled(text, control) {
	return el("label", {}, text, control);
}

// ---- words ----------------------------------------------------------------

const verdictClass = index => "v-" + data.verdicts[index].replace(/[^a-z]/g, "-");
const nameOf = row => row[OBJECT] + (row[PROGRAM] ? " " + row[PROGRAM] : "");
const more = cell => cell[MORE] || {};

// As the text of the report has them: whole numbers whole, others in four digits.
function number(value) {
	if (Number.isInteger(value) || Math.abs(value) >= 1000)
		return value.toFixed(0);
	if (Math.abs(value) < 0.0001)
		return value.toFixed(7);
	return String(Number(value.toPrecision(4)));
}

function valueText(value) {
	if (value === null)
		return "-";
	return typeof value === "number" ? number(value) : value;
}

function percent(ratio) {
	const change = 100 * (ratio - 1);
	return (change >= 0 ? "+" : "") + change.toFixed(2) + " %";
}

function sideText(cell) {
	const [a, b] = [valueText(cell[A]), valueText(cell[B])];
	return a === b && cell[A] === cell[B] ? a : a + " \u2192 " + b;
}

// ---- charts ---------------------------------------------------------------

function legend() {
	return el("p", { class: "faint" }, el("span", { class: "key fill-a" }), "A " + data.names[0],
		  el("span", { class: "key fill-b" }), "B " + data.names[1]);
}

// Every sample of both sides on one line each, with the medians.
function samplesChart(cell) {
	const sides = [more(cell).va || [cell[A]], more(cell).vb || [cell[B]]];
	const all = sides.flat().filter(value => typeof value === "number");
	if (all.length < 3)
		return null;
	const low = Math.min(...all), span = Math.max(...all) - low || 1;
	const at = value => 24 + 330 * (value - low) / span;
	const chart = svg("svg", { class: "chart", viewBox: "0 0 380 58", role: "img" },
			  svg("title", {}, "samples of both sides"));
	sides.forEach((values, side) => {
		const y = 12 + 18 * side, name = side ? "b" : "a";
		chart.append(svg("text", { x: 4, y: y + 4 }, "AB"[side]),
			     svg("line", { class: "axis", x1: 20, x2: 358, y1: y, y2: y }));
		for (const value of values)
			if (value !== null)
				chart.append(svg("circle", { class: name, cx: at(value), cy: y, r: 4 },
						 svg("title", {}, number(value))));
		if (cell[side ? B : A] !== null) {
			const x = at(cell[side ? B : A]);
			chart.append(svg("line", { class: "mark " + name, x1: x, x2: x, y1: y - 8,
						   y2: y + 8 }));
		}
	});
	chart.append(svg("text", { x: 20, y: 54 }, number(low)),
		     svg("text", { x: 358, y: 54, "text-anchor": "end" }, number(low + span)));
	return chart;
}

// The change of each program, from the most that fell to the most that rose.
function changesChart(rows, at, open) {
	const found = rows.filter(row => row[CELLS][at] && more(row[CELLS][at]).r !== undefined)
		.sort((x, y) => more(x[CELLS][at]).r - more(y[CELLS][at]).r);
	if (found.length < 2)
		return null;
	// Small changes have to be told from none beside large ones.
	const change = row => Math.asinh(100 * (more(row[CELLS][at]).r - 1));
	const most = Math.max(...found.map(row => Math.abs(change(row)))) || 1;
	const y = value => 100 - 84 * value / most;
	const chart = svg("svg", { class: "chart", viewBox: "0 0 640 200", role: "img" },
			  svg("title", {}, "change of each program"),
			  svg("line", { class: "axis", x1: 70, x2: 636, y1: 100, y2: 100 }),
			  svg("text", { x: 64, y: 104, "text-anchor": "end" }, "0 %"));
	for (const sign of [1, -1])
		chart.append(svg("text", { x: 64, y: y(sign * most) + 4, "text-anchor": "end" },
				 (sign > 0 ? "+" : "-") + number(Math.sinh(most)) + " %"));
	found.forEach((row, i) => {
		const cell = row[CELLS][at];
		chart.append(svg("circle", {
			class: verdictClass(cell[VERDICT]), cx: 76 + 556 * i / (found.length - 1),
			cy: y(change(row)), r: 4, onclick: () => open(row),
		}, svg("title", {}, nameOf(row) + ": " + sideText(cell) + ", " + percent(more(cell).r))));
	});
	return el("div", {}, el("p", { class: "faint" }, found.length +
		  " programs that changed, by change (a logarithmic scale)"), chart);
}

// Logarithms on both axes, so that a power is a straight line.
function growthChart(curves) {
	const values = curves.flatMap(curve => [...curve.a, ...curve.b]).filter(value => value > 0);
	const sizes = curves.flatMap(curve => curve.sizes);
	const scale = (list, from, to) => {
		const low = Math.log(Math.min(...list)), span = Math.log(Math.max(...list)) - low || 1;
		return value => from + (to - from) * (Math.log(value) - low) / span;
	};
	const x = scale(sizes, 80, 620), y = scale(values, 230, 16);
	const chart = svg("svg", { class: "chart", viewBox: "0 0 640 260", role: "img" },
			  svg("title", {}, "growth with the size"));
	for (const size of new Set(sizes))
		chart.append(svg("line", { class: "axis", x1: x(size), x2: x(size), y1: 16, y2: 230 }),
			     svg("text", { x: x(size), y: 248, "text-anchor": "middle" }, number(size)));
	for (const value of [Math.min(...values), Math.max(...values)])
		chart.append(svg("text", { x: 74, y: y(value) + 4, "text-anchor": "end" }, number(value)));
	for (const curve of curves)
		for (const side of ["a", "b"]) {
			const points = curve.sizes.map((size, i) => [size, curve[side][i]])
				.filter(point => point[1] > 0);
			if (!points.length)
				continue;
			chart.append(svg("path", {
				class: side + (side === "a" ? " dashed" : ""),
				d: "M" + points.map(point => x(point[0]) + " " + y(point[1])).join("L"),
			}, svg("title", {}, curve.program + ", " + data.names[side === "a" ? 0 : 1])));
		}
	return chart;
}

function growthTable(curves) {
	const exponent = value => value === null ? "-" : value.toFixed(3);
	return el("div", { class: "wide" }, el("table", {},
		el("thead", {}, el("tr", {}, ["program", "exponent of A", "of B"].map((title, i) =>
			el("th", { class: i ? "number" : null }, title)))),
		el("tbody", {}, curves.map(curve => el("tr", {}, el("td", {}, curve.family + " " + curve.program),
			curve.exponents.map(value => el("td", { class: "number" }, exponent(value))))))));
}

function growthSection(part) {
	if (!part.growth.length)
		return null;
	const ids = [...new Set(part.growth.map(curve => curve.metric))];
	const place = el("div", {});
	const show = id => {
		const curves = part.growth.filter(curve => curve.metric === id);
		place.replaceChildren(growthChart(curves), growthTable(curves));
	};
	const select = el("select", { class: "growth-metric", onchange: () => show(select.value) },
			  ids.map(id => option(id, id)));
	show(ids[0]);
	return el("div", { class: "growth" }, el("h3", {}, "Growth with the size of a program"),
		  el("div", { class: "bar" }, labelled("number", select)), legend(), place);
}

// ---- phases ---------------------------------------------------------------

const isPhase = metric => metric.id.startsWith("phase.");

// sums: [[title, A, B], ...], null where a side has none.
function phaseBars(sums) {
	const found = sums.filter(sum => sum[1] || sum[2]);
	const most = Math.max(...found.map(sum => Math.max(sum[1] || 0, sum[2] || 0)));
	if (!found.length)
		return null;
	return el("div", { class: "phases" }, found.map(([title, a, b]) => {
		const bars = el("div", { class: "bars" });
		for (const [value, name] of [[a, "fill-a"], [b, "fill-b"]]) {
			const bar = el("div", { class: name });
			bar.style.width = 100 * (value || 0) / most + "%";
			bars.append(bar);
		}
		return [el("span", {}, title), bars, el("span", { class: "number" },
			valueText(a) + " \u2192 " + valueText(b))];
	}));
}

function phasesSection(part) {
	const sums = part.metrics.map((metric, i) => {
		const sum = [metric.title, null, null];
		// Of programs that both sides have measured, or the sums are of different ones.
		for (const row of isPhase(metric) ? part.rows : []) {
			const cell = row[CELLS][i];
			if (cell && cell[A] !== null && cell[B] !== null) {
				sum[1] += cell[A];
				sum[2] += cell[B];
			}
		}
		return sum;
	});
	const bars = phaseBars(sums);
	return bars && el("div", {}, el("h3", {}, "Where the time of loads goes, all programs"),
			  legend(), bars);
}

// ---- one row --------------------------------------------------------------

function cellRow(metric, cell) {
	const facts = more(cell);
	const verdict = data.verdicts[cell[VERDICT]];
	const interval = facts.lo === undefined ? "" :
		percent(facts.lo) + " to " + percent(facts.hi) +
		(facts.p === undefined ? "" : ", p " + facts.p.toFixed(4));
	return el("tr", {}, el("td", {}, metric.title),
		  el("td", { class: "number" }, valueText(cell[A])),
		  el("td", { class: "number" }, valueText(cell[B])),
		  el("td", { class: "number" }, facts.r === undefined ? "" : percent(facts.r)),
		  el("td", { class: "number" }, interval),
		  el("td", { class: "verdict " + verdictClass(cell[VERDICT]) }, verdict),
		  el("td", { class: "note" }, facts.why || ""));
}

function cellsTable(part, row) {
	const titles = ["", "A", "B", "change", "95 % interval", "", ""];
	return el("div", { class: "wide" }, el("table", {},
		el("thead", {}, el("tr", {}, titles.map((title, i) =>
			el("th", { class: i > 0 && i < 5 ? "number" : null }, title)))),
		el("tbody", {}, part.metrics.map((metric, i) =>
			row[CELLS][i] && cellRow(metric, row[CELLS][i])))));
}

// "function+0x1c 12 768; kmalloc-64 3 192": a name, allocations, bytes.
function readPlaces(text) {
	const places = new Map();
	for (const entry of (text || "").split("; ")) {
		const found = /^(.*) (\d+) (\d+)$/.exec(entry);
		if (found)
			places.set(found[1], [Number(found[2]), Number(found[3])]);
	}
	return places;
}

function placesTable(title, lists) {
	const sides = lists.map(readPlaces);
	const names = [...new Set([...sides[0].keys(), ...sides[1].keys()])];
	const bytes = name => Math.max(...sides.map(side => (side.get(name) || [0, 0])[1]));
	names.sort((x, y) => bytes(y) - bytes(x));
	const show = (side, name, at) => sides[side].has(name) ? sides[side].get(name)[at] : null;
	return names.length ? el("div", {}, el("h3", {}, title), el("div", { class: "wide" }, el("table", {},
		el("thead", {}, el("tr", {}, ["", "allocs A", "B", "bytes A", "B"].map((text, i) =>
			el("th", { class: i ? "number" : null }, text)))),
		el("tbody", {}, names.map(name => el("tr", {}, el("td", {}, name),
			[[0, 0], [1, 0], [0, 1], [1, 1]].map(([side, at]) =>
				el("td", { class: "number" }, valueText(show(side, name, at)))))))))) : null;
}

function codeTable(codes) {
	const [SAME, ONLY_A, ONLY_B] = [0, 1, 2];
	const body = el("tbody", {});
	const line = (a, b, from, to) => body.append(el("tr", {}, el("td", { class: from }, a),
							el("td", { class: to }, b)));
	for (let i = 0; i < codes.lines.length;) {
		const left = [], right = [];
		while (i < codes.lines.length && codes.lines[i][0] === ONLY_A)
			left.push(codes.lines[i++][1]);
		while (i < codes.lines.length && codes.lines[i][0] === ONLY_B)
			right.push(codes.lines[i++][1]);
		for (let j = 0; j < Math.max(left.length, right.length); j++)
			line(left[j], right[j], j < left.length ? "from" : null,
			     j < right.length ? "to" : null);
		if (left.length || right.length)
			continue;
		const [kind, text] = codes.lines[i++];
		if (kind === SAME)
			line(text, text, null, "twice");
		else
			body.append(el("tr", {}, el("td", { class: "faint", colspan: 2 },
						    "... " + text + " lines that are the same")));
	}
	return el("div", {}, el("h3", {}, "Code that differs"), el("table", { class: "code" },
		  el("thead", {}, el("tr", {}, data.names.map(name => el("th", {}, name)))), body),
		  codes.cut ? el("p", { class: "faint" }, "There is more that differs.") : null);
}

function rowDetail(part, row) {
	const parts = [row[WHY] ? el("p", {}, row[WHY]) : null, cellsTable(part, row)];
	part.metrics.forEach((metric, i) => {
		const cell = row[CELLS][i];
		const chart = cell && !metric.text ? samplesChart(cell) : null;
		if (chart)
			parts.push(el("h3", {}, metric.title), chart);
	});
	const bars = phaseBars(part.metrics.map((metric, i) => {
		const cell = isPhase(metric) && row[CELLS][i];
		return [metric.title, cell ? cell[A] : null, cell ? cell[B] : null];
	}));
	if (bars)
		parts.push(el("h3", {}, "Phases"), legend(), bars);
	for (const [id, title] of [["alloc_sites", "Call sites of allocations"],
				   ["alloc_caches", "Caches of allocations"]])
		if (row[LISTS][id])
			parts.push(placesTable(title, row[LISTS][id]));
	for (const codes of part.name === "veristat" ? data.codes : [])
		if (codes.object === row[OBJECT] && codes.program === row[PROGRAM])
			parts.push(codeTable(codes));
	return parts;
}

// ---- the table of a part --------------------------------------------------

// What a reader wants to see first, as far as it was measured.
const FIRST = ["outcome", "duration", "total_insns", "allocs", "live_peak", "mem_peak_kib",
	       "ops_per_sec", "insns_per_op", "allocs_per_op"];

class Table {
	constructor(part) {
		this.part = part;
		part.rows.forEach((row, i) => { row.at = i; });
		this.columns = FIRST.map(id => part.metrics.findIndex(metric => metric.id === id))
			.filter(at => at >= 0);
		this.find = "";
		this.verdict = "";
		this.by = "change";
		this.sort = null; // index of a metric, "name", "verdict", or null: as recorded
		this.descending = true;
		this.limit = ROWS_AT_ONCE;
		this.open = new Set();
		this.chart = el("div", {});
		this.count = el("p", { class: "count faint", role: "status" });
		this.head = el("thead", {});
		this.body = el("tbody", {});
		this.rest = el("p", { class: "more" });
	}

	rows() {
		const words = this.find.toLowerCase().split(/\s+/).filter(Boolean);
		return this.part.rows.filter(row => {
			const name = nameOf(row).toLowerCase();
			return words.every(word => name.includes(word)) && this.hasVerdict(row);
		});
	}

	hasVerdict(row) {
		if (this.verdict === "")
			return true;
		const wanted = Number(this.verdict);
		return row[ROW_VERDICT] === wanted ||
			row[CELLS].some(cell => cell && cell[VERDICT] === wanted);
	}

	// null sorts last, whichever way.
	sortKey(row) {
		if (this.sort === "name")
			return nameOf(row);
		if (this.sort === "verdict")
			return data.verdicts[row[ROW_VERDICT]];
		const cell = row[CELLS][this.sort];
		if (!cell)
			return null;
		if (this.by !== "change")
			return cell[this.by === "A" ? A : B];
		if (cell[A] === null || cell[B] === null)
			return null;
		return more(cell).r !== undefined ? more(cell).r : cell[A] === cell[B] ? 1 : null;
	}

	sorted() {
		const rows = this.rows();
		if (this.sort === null)
			return rows;
		const keyed = rows.map(row => [this.sortKey(row), row]);
		const turn = this.descending ? -1 : 1;
		keyed.sort(([x], [y]) => {
			if (x === null || y === null)
				return (x === null) - (y === null);
			return x < y ? -turn : x > y ? turn : 0;
		});
		return keyed.map(([, row]) => row);
	}

	sortBy(what) {
		this.descending = this.sort === what ? !this.descending : typeof what === "number";
		this.sort = what;
		this.show();
	}

	openRow(row) {
		this.open.add(row);
		if (!this.sorted().slice(0, this.limit).includes(row))
			this.limit = Infinity;
		this.show();
		const shown = this.body.querySelector("tr.open[data-row='" + row.at + "']");
		if (shown)
			shown.scrollIntoView({ block: "center" });
	}

	header(what, text, kind) {
		const state = this.sort !== what ? null : this.descending ? "descending" : "ascending";
		return el("th", { class: kind, "aria-sort": state, scope: "col" },
			  el("button", { type: "button", onclick: () => this.sortBy(what) }, text));
	}

	cell(row, at) {
		const cell = row[CELLS][at], metric = this.part.metrics[at];
		const kind = metric.text ? "word" : "number";
		if (!cell)
			return el("td", { class: kind, "data-title": metric.title }, "");
		return el("td", { class: kind, "data-title": metric.title }, sideText(cell),
			  more(cell).r === undefined ? null :
			  el("span", { class: "percent " + verdictClass(cell[VERDICT]) },
			     percent(more(cell).r)));
	}

	line(row) {
		const isOpen = this.open.has(row);
		const toggle = () => {
			if (!this.open.delete(row))
				this.open.add(row);
			this.show();
		};
		const line = el("tr", { class: isOpen ? "open" : null, "data-row": row.at },
			el("td", {}, el("button", { type: "button", "aria-expanded": String(isOpen),
						    onclick: toggle }, nameOf(row))),
			el("td", { class: "verdict " + verdictClass(row[ROW_VERDICT]) },
			   data.verdicts[row[ROW_VERDICT]]),
			this.columns.map(at => this.cell(row, at)));
		if (!isOpen)
			return [line];
		return [line, el("tr", { class: "detail" },
				 el("td", { colspan: this.columns.length + 2 }, rowDetail(this.part, row)))];
	}

	show() {
		const rows = this.sorted(), part = this.part;
		this.count.textContent = rows.length + " of " + part.rows.length + " rows";
		this.head.replaceChildren(el("tr", {}, this.header("name", part.keys.join(", "), null),
			this.header("verdict", "Verdict", null),
			this.columns.map(at => this.header(at, part.metrics[at].title,
							   part.metrics[at].text ? "word" : "number"))));
		this.body.replaceChildren(...rows.slice(0, this.limit).flatMap(row => this.line(row)));
		this.rest.replaceChildren(...(rows.length <= this.limit ? [] : [
			el("button", { type: "button", onclick: () => { this.limit = Infinity; this.show(); } },
			   "show the other " + (rows.length - this.limit))]));
		const at = typeof this.sort === "number" ? this.sort : this.columns[0];
		const chart = at === undefined ? null : changesChart(rows, at, row => this.openRow(row));
		this.chart.replaceChildren(...(chart ? [el("h3", {}, part.metrics[at].title), chart] : []));
	}

	verdictSelect() {
		const counts = data.verdicts.map((name, i) =>
			this.part.rows.filter(row => row[ROW_VERDICT] === i ||
				row[CELLS].some(cell => cell && cell[VERDICT] === i)).length);
		const select = el("select", { class: "verdicts",
			onchange: () => { this.verdict = select.value; this.show(); } },
			option("", "any"), data.verdicts.map((name, i) =>
				counts[i] ? option(i, name + " (" + counts[i] + ")") : null));
		return labelled("verdict", select);
	}

	bar() {
		const find = el("input", { type: "search", class: "find", placeholder: "parts of names",
			oninput: () => { this.find = find.value; this.show(); } });
		const by = el("select", { class: "by", onchange: () => { this.by = by.value; this.show(); } },
			      option("change", "change"), option("A", "A"), option("B", "B"));
		const add = el("select", { class: "column", onchange: () => this.toggle(add) },
			       option("", "show or hide"), this.part.metrics.map((metric, i) =>
				       option(i, metric.title + " (" + metric.id + ")")));
		return el("div", { class: "bar" }, labelled("find", find), this.verdictSelect(),
			  labelled("sort numbers by", by), labelled("column", add));
	}

	toggle(select) {
		const at = Number(select.value);
		if (select.value !== "")
			this.columns = this.columns.includes(at) ? this.columns.filter(x => x !== at)
								 : [...this.columns, at];
		select.value = "";
		this.show();
	}

	section() {
		this.show();
		return el("section", { id: "part-" + this.part.name }, el("h2", {}, this.part.name),
			  this.bar(), this.count,
			  el("table", { class: "rows" }, this.head, this.body), this.rest, this.chart,
			  phasesSection(this.part), growthSection(this.part));
	}
}

const tables = data.parts.map(part => new Table(part));
document.title = "A = " + data.names[0] + ", B = " + data.names[1];
document.getElementById("tables").append(...tables.map(table => table.section()));
document.querySelector("#story h1").after(el("nav", {}, "All rows: ", data.parts.map(part =>
	el("a", { href: "#part-" + part.name }, part.name + " (" + part.rows.length + ")"))));
if (data.codes_left_out)
	document.getElementById("tables").append(el("p", {}, "The code of " + data.codes_left_out +
		" more programs differs and is not in this page."));

// On paper there is nothing to press: all rows that the filters leave.
addEventListener("beforeprint", () => tables.forEach(table => {
	table.limit = Infinity;
	table.show();
}));
})();
