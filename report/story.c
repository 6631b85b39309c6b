// SPDX-License-Identifier: GPL-2.0-only
#include "story.h"

#include "change.h"
#include "cleanup.h"
#include "envdiff.h"

/* ---- what the sides stand on ------------------------------------------------- */

static void say_environment(const struct recording *rec, struct doc *doc,
			    const struct env_diff *diffs, size_t n)
{
	_cleanup_free_ char *others = NULL;
	size_t len;
	FILE *out = open_memstream(&others, &len);

	if (!out)
		return;
	for (size_t i = 0; i < n; i++)
		if (!diffs[i].kernel)
			fprintf(out, "%s%s", ftell(out) ? ", " : "", diffs[i].key);
	if (fclose(out))
		return;
	if (*others)
		doc__para(doc, "environment: not only the kernel differs, but also %s", others);
	else if (n)
		doc__para(doc, "environment: only the kernel differs");
	else if (recording__env(rec, "kernel") || recording__env(rec, "build_id"))
		doc__para(doc, "environment: no difference, the kernel is the same");
	else
		doc__para(doc, "environment: no difference in what was recorded");
}

static int add_diffs(struct doc_table *table, const struct env_diff *diffs, size_t n)
{
	int err = 0;

	/* What was not meant to differ comes first. */
	for (int kernel = 0; kernel < 2; kernel++)
		for (size_t i = 0; i < n && !err; i++) {
			const char *const a[] = { diffs[i].key, "A",
						  diffs[i].a ?: "(not recorded)" };
			const char *const b[] = { "", "B", diffs[i].b ?: "(not recorded)" };

			if (diffs[i].kernel == kernel)
				err = doc_table__add(table, a) ?: doc_table__add(table, b);
		}
	return err;
}

/* Long values, such as a command line, say little by being equal. */
static int say_same(const struct recording *a, const struct recording *b, struct doc *doc)
{
	static const char *const keys[] = { "kernel", "clock",	     "cpu",    "vcpus",	  "memory",
					    "cgroup", "mitigations", "config", "compiler" };
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *value = recording__env(a, keys[i]), *other = recording__env(b, keys[i]);

		if (value && other && streq(value, other))
			fprintf(out, "%s%s %s", ftell(out) ? ", " : "", keys[i], value);
	}
	if (fclose(out))
		return -ENOMEM;
	if (*text)
		doc__para(doc, "both: %s", text);
	return 0;
}

int story__tell_environment(const struct whole *whole, struct doc *doc)
{
	static const struct doc_column columns[] = { { "", DOC_LABEL },
						     { "", DOC_WORD },
						     { "", DOC_NOTE } };
	_cleanup_(doc_table__reset) struct doc_table table = { .columns = columns, .n = 3 };
	const struct recording *rec[2] = { whole__any(whole, 0), whole__any(whole, 1) };
	_cleanup_free_ struct env_diff *diffs = NULL;
	size_t n;
	int err;

	for (int i = 0; i < 2; i++) {
		if (rec[i] && rec[i]->env.n)
			continue;
		doc__para(doc, "environment: not known, %c has no sidecar (FILE.env)", 'A' + i);
		return 0;
	}
	err = env_diff__list(rec[0], rec[1], &diffs, &n);
	if (err)
		return err;
	say_environment(rec[0], doc, diffs, n);
	err = add_diffs(&table, diffs, n);
	if (err)
		return err;
	doc__table(doc, &table);
	return say_same(rec[0], rec[1], doc);
}

/* ---- verdicts ---------------------------------------------------------------- */

static const struct doc_column verdict_columns[] = { { "", DOC_LABEL },
						     { "", DOC_VERDICT },
						     { "", DOC_NOTE } };

/* Of tests what became of them, of the others the verdicts on numbers. */
static void print_counts(const struct comparison *cmp, FILE *out)
{
	static const enum verdict order[] = {
		VERDICT_WORSE,	      VERDICT_GONE,	    VERDICT_AMBIGUOUS, VERDICT_UNSTABLE,
		VERDICT_BETTER,	      VERDICT_INCONCLUSIVE, VERDICT_TOO_FEW,   VERDICT_TOO_SMALL,
		VERDICT_NOT_MEASURED, VERDICT_NOT_WORSE,    VERDICT_DIFFERS,   VERDICT_EQUAL,
		VERDICT_NEW,
	};
	struct change_count changes[CHANGE_KINDS];
	size_t n = change__count(cmp, changes);

	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%zu %s", i ? ", " : "", changes[i].n, changes[i].name);
	if (n)
		return;
	fprintf(out, "%zu program%s: ", cmp->rows.n, cmp->rows.n == 1 ? "" : "s");
	for (size_t i = 0, told = 0; i < ARRAY_SIZE(order); i++)
		if (cmp->counts[order[i]])
			fprintf(out, "%s%zu %s", told++ ? ", " : "", cmp->counts[order[i]],
				verdict__name(order[i]));
}

static int add_part(struct doc_table *table, const struct whole_part *part,
		    const struct whole *whole)
{
	_cleanup_free_ char *counts = NULL;
	size_t len;
	FILE *out = open_memstream(&counts, &len);

	if (!out)
		return -ENOMEM;
	if (part->cmp)
		print_counts(part->cmp, out);
	else
		fprintf(out, "%c has no recording of it",
			whole->side[0]->rec[part->part] ? 'B' : 'A');
	if (fclose(out))
		return -ENOMEM;
	return doc_table__add(table, (const char *const[]){ results_part__name(part->part),
							    whole_part__verdict(part), counts });
}

static int add_log(struct doc_table *table, const struct whole *whole)
{
	_cleanup_free_ char *note = NULL;
	size_t counting = 0;
	int err;

	for (size_t i = 0; i < whole->log.splats.n; i++)
		counting += klog_splat__counts(&whole->log.splats.v[i]);
	if (counting)
		err = str__printf(&note, "%zu splat%s of B that A has not", counting,
				  counting == 1 ? "" : "s");
	else if (klog__verdict(&whole->log) == KLOG_UNREAD)
		err = str__printf(&note, "not clean until shown: a log is missing");
	else
		err = str__printf(&note, "no splat of B that A has not");
	return err
		       ?: doc_table__add(table,
					 (const char *const[]){ "kernel log",
								whole__log_verdict(whole), note });
}

static int add_boots(struct doc_table *table, const struct whole *whole)
{
	bool failed = whole__boots(whole, 0, false) || whole__boots(whole, 1, false);
	_cleanup_free_ char *note = NULL;
	size_t len;
	FILE *out = open_memstream(&note, &len);

	if (!out)
		return -ENOMEM;
	fprintf(out, "%zu of A, %zu of B measured", whole__boots(whole, 0, true),
		whole__boots(whole, 1, true));
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < whole->side[side]->boots.n; i++) {
			const struct results_boot *boot = &whole->side[side]->boots.v[i];

			if (boot->class)
				fprintf(out, "; %c %s: %s", 'A' + side, boot->name, boot->class);
		}
	if (fclose(out))
		return -ENOMEM;
	return doc_table__add(
		table, (const char *const[]){ "boots", failed ? "not measured" : "done", note });
}

int story__tell_verdicts(const struct whole *whole, struct doc *doc)
{
	_cleanup_(doc_table__reset) struct doc_table table = { .columns = verdict_columns, .n = 3 };
	int err = 0;

	doc__head(doc, "Verdicts");
	for (size_t i = 0; i < RESULTS_PARTS && !err; i++)
		if (whole->part[i].recorded)
			err = add_part(&table, &whole->part[i], whole);
	err = err ?: add_log(&table, whole) ?: add_boots(&table, whole);
	if (err)
		return err;
	doc__table(doc, &table);
	doc__verdict(doc, whole__verdict(whole));
	return 0;
}

/* ---- the whole of it --------------------------------------------------------- */

static void tell_source(const struct whole *whole, struct doc *doc)
{
	char *rest = whole->notes, *line;

	if (whole->command) {
		doc__head(doc, "Again");
		doc__code(doc, whole->command);
	}
	doc__head(doc, "Recordings");
	for (int i = 0; i < 2; i++)
		doc__item(doc, "%c: %s", 'A' + i, whole->side[i]->path);
	while (rest && *rest) {
		_cleanup_free_ char *copy = NULL;
		size_t len = strcspn(rest, "\n");

		line = rest;
		rest += len + (rest[len] != '\0');
		if (len && !str__printf(&copy, "%.*s", (int)len, line))
			doc__item(doc, "%s", copy);
	}
}

int story__tell(const struct whole *whole, struct doc *doc)
{
	int err;

	doc__title(doc, "A = %s, B = %s", whole->name[0], whole->name[1]);
	err = story__tell_environment(whole, doc) ?:
	      story__tell_verdicts(whole, doc) ?:
	      story__tell_changes(whole, doc) ?:
	      story__tell_unknown(whole, doc) ?:
	      story__tell_figures(whole, doc);
	if (err)
		return err;
	tell_source(whole, doc);
	return doc__end(doc);
}
