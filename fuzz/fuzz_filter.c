// SPDX-License-Identifier: GPL-2.0-only
/* Filters, conditions and orders of rows. */
#include "cleanup.h"
#include "expr.h"
#include "fuzz.h"

static void try_condition(const char *text)
{
	static const double numbers[] = { 0, 1, -1, 1e300 };
	struct expr expr = {};
	struct err err = {};

	if (expr__parse(SUITE_VERISTAT, text, &expr, &err) < 0) {
		fuzz_require(err.text[0]);
		return;
	}
	fuzz_require(expr__looks_like(text) && streq(expr.text, text));
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		expr__holds_number(&expr, numbers[i]);
	fuzz_require(!expr__holds_number(&expr, __builtin_nan("")));
	fuzz_require(!expr__holds_word(&expr, NULL));
	if (expr.term.key >= 0 || expr.term.metric->flags & METRIC_TEXT)
		expr__holds_word(&expr, "success");
	expr__clear(&expr);
}

static void try_order(const char *text)
{
	const char *words[] = { text };
	struct opt_list list = { .v = words, .n = 1 };
	struct order order = {};
	struct err err = {};

	if (order__parse(SUITE_VERISTAT, &list, &order, &err) < 0) {
		fuzz_require(err.text[0]);
		return;
	}
	fuzz_require(order.terms.n);
	order__reset(&order);
}

void fuzz_filter(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = fuzz_text(data, len);

	try_condition(text);
	try_order(text);
}
