// SPDX-License-Identifier: GPL-2.0-only
#include "data.h"

#include "json.h"

/* A row of a comparison is a line. */
#define FLAT_FROM 4

static void put_side(struct json *json, const struct whole *whole, int side)
{
	const struct results *results = whole->side[side];

	json__begin(json, side ? "b" : "a", '{');
	json__text(json, "name", whole->name[side]);
	json__text(json, "path", results->path);
	json__begin(json, "boots", '[');
	for (size_t i = 0; i < results->boots.n; i++) {
		const struct results_boot *boot = &results->boots.v[i];

		json__begin(json, NULL, '{');
		json__text(json, "name", boot->name);
		json__text(json, "class", boot->class ?: "measured");
		json__end(json, '}');
	}
	json__end(json, ']');
	json__end(json, '}');
}

static void put_splat(struct json *json, const struct klog_splat *splat)
{
	json__begin(json, NULL, '{');
	json__text(json, "text", splat->text);
	json__text(json, "masked", splat->masked);
	json__text(json, "first_in", splat->boot);
	json__u64(json, "a", splat->n[0]);
	json__u64(json, "b", splat->n[1]);
	json__bool(json, "known", splat->allowed);
	json__bool(json, "worse", klog_splat__counts(splat));
	json__end(json, '}');
}

static void put_log(struct json *json, const struct whole *whole)
{
	json__begin(json, "kernel_log", '{');
	json__text(json, "verdict", whole__log_verdict(whole));
	json__begin(json, "splats", '[');
	for (size_t i = 0; i < whole->log.splats.n; i++)
		put_splat(json, &whole->log.splats.v[i]);
	json__end(json, ']');
	json__begin(json, "not_read", '[');
	for (size_t i = 0; i < whole->log.unread.n; i++)
		json__text(json, NULL, whole->log.unread.v[i]);
	json__end(json, ']');
	json__end(json, '}');
}

static void put_parts(struct json *json, const struct whole *whole)
{
	json__begin(json, "parts", '{');
	for (size_t i = 0; i < RESULTS_PARTS; i++) {
		const struct whole_part *part = &whole->part[i];

		if (part->cmp)
			report_view__put(json, results_part__name(i), &part->view);
		else if (part->recorded)
			json__null(json, results_part__name(i));
	}
	json__end(json, '}');
}

int data__write(const struct whole *whole, FILE *out)
{
	struct json json = { .out = out, .flat = FLAT_FROM };

	json__begin(&json, NULL, '{');
	json__text(&json, "verdict", whole__verdict(whole));
	json__u64(&json, "status", whole->status);
	json__text(&json, "command", whole->command);
	put_side(&json, whole, 0);
	put_side(&json, whole, 1);
	json__begin(&json, "verdicts", '{');
	for (size_t i = 0; i < RESULTS_PARTS; i++)
		if (whole->part[i].recorded)
			json__text(&json, results_part__name(i),
				   whole_part__verdict(&whole->part[i]));
	json__end(&json, '}');
	put_log(&json, whole);
	put_parts(&json, whole);
	json__end(&json, '}');
	return ferror(out) ? -EIO : 0;
}
