// SPDX-License-Identifier: GPL-2.0-only
// The tables of a report, with what page_charts.js draws.
"use strict";
const ROWS_AT_ONCE = 200;

// ---- one row --------------------------------------------------------------

// withInterval: a phone has no room for an empty column.
function cellRow(metric, cell, withInterval) {
	const facts = more(cell);
	const verdict = data.verdicts[cell[VERDICT]];
	const interval = facts.lo === undefined ? "" :
		percent(facts.lo) + " to " + percent(facts.hi) +
		(facts.p === undefined ? "" : ", p " + facts.p.toFixed(4));
	return el("tr", {}, el("td", {}, metric.title),
		  el("td", { class: "number" }, valueText(cell[A])),
		  el("td", { class: "number" }, valueText(cell[B])),
		  el("td", { class: "number" }, ratioOf(cell) === undefined ? "" : percent(ratioOf(cell))),
		  withInterval ? el("td", { class: "number" }, interval) : null,
		  el("td", { class: "verdict " + verdictClass(cell[VERDICT]) }, verdict),
		  el("td", { class: "note" }, facts.why || ""));
}

function cellsTable(part, row) {
	const withInterval = row[CELLS].some(cell => cell && more(cell).lo !== undefined);
	const titles = ["", "A", "B", "change", ...(withInterval ? ["95 % interval"] : []), "", ""];
	return el("div", { class: "wide" }, el("table", {},
		el("thead", {}, el("tr", {}, titles.map((title, i) =>
			el("th", { class: i && title ? "number" : null }, title)))),
		el("tbody", {}, part.metrics.map((metric, i) =>
			row[CELLS][i] && cellRow(metric, row[CELLS][i], withInterval)))));
}

// Where in a function, and what the compiler made of it, differs between kernels.
const functionOf = site => site.replace(/\+0x[0-9a-f]+$/, "").replace(/\.(isra|constprop|part|cold)\b.*$/, "");

// "function+0x1c 12 768; kmalloc-64 3 192": a name, allocations, bytes.
function readPlaces(text, nameOfPlace) {
	const places = new Map();
	for (const entry of (text || "").split("; ")) {
		const found = /^(.*) (\d+) (\d+)$/.exec(entry);
		if (!found)
			continue;
		const name = nameOfPlace(found[1]);
		const before = places.get(name) || [0, 0];
		places.set(name, [before[0] + Number(found[2]), before[1] + Number(found[3])]);
	}
	return places;
}

function placesTable(title, lists, nameOfPlace) {
	const sides = lists.map(list => readPlaces(list, nameOfPlace));
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
	for (const [id, title, nameOfPlace] of [
		["alloc_sites", "Functions that allocate, of the call sites recorded", functionOf],
		["alloc_caches", "Caches of allocations", name => name],
	])
		if (row[LISTS][id])
			parts.push(placesTable(title, row[LISTS][id], nameOfPlace));
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
		this.sortSelect = this.makeSortSelect();
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
		return ratioOf(cell) !== undefined ? ratioOf(cell) : cell[A] === cell[B] ? 1 : null;
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
			  ratioOf(cell) === undefined ? null :
			  el("span", { class: "percent " + verdictClass(cell[VERDICT]) },
			     percent(ratioOf(cell))));
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
		this.showSort();
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
		const turn = el("button", { type: "button", class: "turn",
			onclick: () => { this.descending = !this.descending; this.show(); } }, "turn");
		const by = el("select", { class: "by", onchange: () => { this.by = by.value; this.show(); } },
			      option("change", "change"), option("A", "A"), option("B", "B"));
		const add = el("select", { class: "column", onchange: () => this.toggle(add) },
			       option("", "show or hide"), this.part.metrics.map((metric, i) =>
				       option(i, metric.title + " (" + metric.id + ")")));
		return el("div", { class: "bar" }, labelled("find", find), this.verdictSelect(),
			  labelled("sort by", this.sortSelect), turn, labelled("numbers by", by),
			  labelled("column", add));
	}

	// The same as the heads of the columns, which a phone has no room for.
	makeSortSelect() {
		const values = [null, "name", "verdict", ...this.part.metrics.keys()];
		const select = el("select", { class: "sort", onchange: () => {
			this.sort = values[select.selectedIndex];
			this.descending = typeof this.sort === "number";
			this.show();
		} }, values.map(value => option("", value === null ? "as recorded" :
			typeof value === "number" ? this.part.metrics[value].title : value)));
		this.showSort = () => { select.selectedIndex = values.indexOf(this.sort); };
		return select;
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
