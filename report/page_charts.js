// SPDX-License-Identifier: GPL-2.0-only
// What a page draws: page_data.h says what is in the data. Words of the data
// become text nodes and never HTML, as any of them may be anybody's.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const VERDICT = 0, A = 1, B = 2, MORE = 3; // of a cell
const OBJECT = 0, PROGRAM = 1, ROW_VERDICT = 2, WHY = 3, CELLS = 4, LISTS = 5; // of a row
const MARK_ROOM = 44; // of a chart's 640, for a number at an axis

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
// That a part of a sum grew by half says nothing about the sum.
const ratioOf = cell => data.verdicts[cell[VERDICT]] === "differs" ? undefined : more(cell).r;

// As the text of the report has them: whole numbers whole, others in four digits,
// halves to the even side.
function number(value) {
	if (Math.abs(value) >= 1000 && Math.abs(value % 1) === 0.5)
		return (2 * Math.round(value / 2)).toFixed(0);
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
	const chart = svg("svg", { class: "chart small", viewBox: "0 0 380 58", role: "img" },
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
	return el("div", {}, chart, sides.map((values, side) => spreadText(values, "AB"[side])));
}

// Beside a side far away the samples of one are a single dot.
function spreadText(values, name) {
	if (values.length < 2)
		return null;
	const [low, high] = [Math.min(...values), Math.max(...values)];
	return el("p", { class: "faint" }, name + ": " + values.length + " samples, " + low + " to " + high +
		  (low > 0 ? ", apart by " + (100 * (high / low - 1)).toFixed(3) + " %" : ""));
}

// The change of each program, from the most that fell to the most that rose.
function changesChart(rows, at, open) {
	const found = rows.filter(row => row[CELLS][at] && ratioOf(row[CELLS][at]) !== undefined)
		.sort((x, y) => ratioOf(x[CELLS][at]) - ratioOf(y[CELLS][at]));
	if (found.length < 2)
		return null;
	// Small changes have to be told from none beside large ones.
	const change = row => Math.asinh(100 * (ratioOf(row[CELLS][at]) - 1));
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
		}, svg("title", {}, nameOf(row) + ": " + sideText(cell) + ", " + percent(ratioOf(cell)))));
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
	let marked = -Infinity;
	for (const size of [...new Set(sizes)].sort((one, other) => one - other)) {
		if (x(size) - marked < MARK_ROOM)
			continue;
		marked = x(size);
		chart.append(svg("line", { class: "axis", x1: x(size), x2: x(size), y1: 16, y2: 230 }),
			     svg("text", { x: x(size), y: 248, "text-anchor": "middle" }, number(size)));
	}
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
