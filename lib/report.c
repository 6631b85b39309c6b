// SPDX-License-Identifier: GPL-2.0-only
#include "report.h"

#include "change.h"
#include "cleanup.h"
#include "env.h"
#include "order.h"
#include "recfile.h"
#include "report_view.h"

enum { STATUS_FINE, STATUS_WORSE, STATUS_USAGE, STATUS_UNABLE };

/* ---- what is asked for ------------------------------------------------------ */

struct metric_list {
	VEC(const struct metric *) list;
};

static void metric_list__reset(struct metric_list *metrics)
{
	vec_free(&metrics->list);
}

static int metric_list__add(struct metric_list *metrics, enum suite suite, const char *word,
			    size_t len, struct err *err)
{
	char name[64];
	const struct metric *metric;

	snprintf(name, sizeof(name), "%.*s", (int)len, word);
	/* The keys are always there. */
	if (order__key(suite, name) >= 0)
		return 0;
	metric = metric__find(suite, name);
	if (!metric)
		return err__set(err, -EINVAL, "no column '%.*s' in recordings of %s", (int)len,
				word, suite_keys[suite].name);
	return vec_push(&metrics->list, metric);
}

static int metric_list__parse(struct metric_list *metrics, enum suite suite,
			      const struct opt_list *words, struct err *err)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->v[i];

		/* An argument that was left out. */
		while (word) {
			size_t len = strcspn(word, ",");
			int ret = metric_list__add(metrics, suite, word, len, err);

			if (ret)
				return ret;
			if (!word[len])
				break;
			word += len + 1;
		}
	}
	return 0;
}

static bool metric_list__has(const struct metric_list *metrics, const struct metric *metric)
{
	for (size_t i = 0; i < metrics->list.n; i++)
		if (metrics->list.v[i] == metric)
			return true;
	return false;
}

/* The columns of the wide table: no others than are compared. */
static int metric_list__parse_wide(struct metric_list *columns, const struct metric_list *metrics,
				   enum suite suite, const struct opt_list *words, struct err *err)
{
	int ret = metric_list__parse(columns, suite, words, err);

	for (size_t i = 0; i < columns->list.n && !ret; i++)
		if (metrics->list.n && !metric_list__has(metrics, columns->list.v[i]))
			ret = err__set(err, -EINVAL, "no column '%s' among those that are compared",
				       columns->list.v[i]->id);
	return ret;
}

/* ---- two recordings --------------------------------------------------------- */

struct sides {
	struct recording *rec[2];
	char *notes[2];
	struct comparison *cmp;
};

static void sides__reset(struct sides *sides)
{
	comparison__free(sides->cmp);
	for (int i = 0; i < 2; i++) {
		recording__free(sides->rec[i]);
		free(sides->notes[i]);
	}
}

static int sides__compare(struct sides *sides, enum suite suite, const char *const paths[2],
			  const struct compare_opts *opts, struct err *err)
{
	for (int i = 0; i < 2; i++) {
		int ret = recfile__read(paths[i], suite, &sides->rec[i], &sides->notes[i], err)
				  ?: recording__add_sums(sides->rec[i]);

		if (ret)
			return ret;
	}
	return compare__run(sides->rec[0], sides->rec[1], opts, &sides->cmp);
}

/* What a floor has to have in common, and what it is called for a reader. */
static const struct {
	const char *key, *words;
} floor_keys[] = {
	{ "build_id", "two kernels" },
	{ "kernel", "two kernels" },
	{ "config", "two configurations" },
};

static int floor__refuse(const char *path, const char *words, struct err *err)
{
	return err__set(err, -EINVAL, "%s: no floor, its sides are of %s", path, words);
}

/* One kernel, or the floor would hide what a patch does. */
static int floor__check(const char *path, const struct sides *floor, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(floor_keys); i++) {
		const char *a = recording__env(floor->rec[0], floor_keys[i].key);
		const char *b = recording__env(floor->rec[1], floor_keys[i].key);

		if (a && b && !streq(a, b))
			return floor__refuse(path, floor_keys[i].words, err);
	}
	if (env__clock(floor->rec[0]) != env__clock(floor->rec[1]))
		return floor__refuse(path, "two clocks", err);
	return 0;
}

static int floor__read(struct sides *floor, enum suite suite, const char *path,
		       const struct compare_opts *opts, struct err *err)
{
	_cleanup_free_ char *base = NULL, *patched = NULL;
	int ret;

	ret = str__printf(&base, "%s/base", path) ?: str__printf(&patched, "%s/patched", path);
	if (ret)
		return ret;
	return sides__compare(floor, suite, (const char *[]){ base, patched }, opts, err)
		       ?: floor__check(path, floor, err);
}

/* What could not be compared may well have met the condition. */
int report_view__status(const struct report_view *view)
{
	if (!view->opts->fail_on)
		return view->cmp->status;
	if (view->failing)
		return STATUS_WORSE;
	return view->cmp->status == STATUS_UNABLE ? STATUS_UNABLE : STATUS_FINE;
}

/* ---- the whole of it -------------------------------------------------------- */

/* ---- the text --------------------------------------------------------------- */

/* What is told first decides the exit status. */
static const char *result_of(const struct comparison *cmp)
{
	if (cmp->status == STATUS_WORSE)
		return "worse";
	if (cmp->status == STATUS_UNABLE)
		return "not all could be compared";
	return "nothing got worse";
}

static void print_result(const struct report_view *view, FILE *out)
{
	static const enum verdict order[] = {
		VERDICT_WORSE,	      VERDICT_GONE,	    VERDICT_AMBIGUOUS, VERDICT_UNSTABLE,
		VERDICT_BETTER,	      VERDICT_INCONCLUSIVE, VERDICT_TOO_FEW,   VERDICT_TOO_SMALL,
		VERDICT_NOT_MEASURED, VERDICT_NOT_WORSE,    VERDICT_DIFFERS,   VERDICT_EQUAL,
		VERDICT_NEW,
	};
	const char *between = ": ";

	fprintf(out, "result: %s", result_of(view->cmp));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!view->cmp->counts[order[i]])
			continue;
		fprintf(out, "%s%zu %s", between, view->cmp->counts[order[i]],
			verdict__name(order[i]));
		between = ", ";
	}
	fputc('\n', out);
	for (int i = 0; i < 2; i++)
		if (view->cmp->incomplete[i])
			fprintf(out, "the run of %c was cut short: what it lacks is not compared\n",
				'A' + i);
}

/* Tests have words of their own. */
static void print_changes_of_tests(const struct report_view *view, FILE *out)
{
	struct change_count counts[CHANGE_KINDS];
	const size_t n = change__count(view->cmp, counts);

	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%zu %s%s", i ? ", " : "tests: ", counts[i].n, counts[i].name,
			i + 1 == n ? "\n" : "");
}

static void print_failing(const struct report_view *view, FILE *out)
{
	const struct expr *fail_on = view->opts->fail_on;

	if (fail_on)
		fprintf(out, "fail on %s: %zu row%s\n", fail_on->text, view->failing,
			view->failing == 1 ? "" : "s");
}

static void print_sides(const struct report_view *view, FILE *out)
{
	for (int i = 0; i < 2; i++) {
		const struct recording *rec = view->rec[i];
		const char *name = view->opts->names[i];

		fprintf(out, "%c: %s%s%s%s, %zu row%s", 'A' + i, name ?: "", name ? " (" : "",
			view->paths[i], name ? ")" : "", rec->rows.n, rec->rows.n == 1 ? "" : "s");
		if (rec->boots > 1)
			fprintf(out, " of %u boots", rec->boots);
		fputc('\n', out);
	}
	if (view->opts->floor)
		fprintf(out, "floor: %s\n", view->opts->floor);
}

static bool shows_time(const struct comparison *cmp)
{
	for (size_t i = 0; i < cmp->metrics.n; i++)
		if (cmp->metrics.v[i]->flags & METRIC_TIMED)
			return true;
	return false;
}

int report_view__print_rows(const struct report_view *view, struct table *table, FILE *out)
{
	if (view->opts->format == REPORT_MARKDOWN)
		return table__print_markdown(table, out);
	return table__print(table, out);
}

/* In Markdown what is laid out by spaces and line ends stands between fences. */
static void print_fence(const struct report_view *view, FILE *out)
{
	if (view->opts->format == REPORT_MARKDOWN)
		fputs("```\n", out);
}

static int print_head(const struct report_view *view, FILE *out)
{
	int err = 0;

	print_fence(view, out);
	print_sides(view, out);
	fputs(view->notes, out);
	if (!view->opts->no_env) {
		fputc('\n', out);
		err = report_view__print_env(view, out);
	}
	fputc('\n', out);
	print_result(view, out);
	print_changes_of_tests(view, out);
	print_failing(view, out);
	if (view->n_shown < view->cmp->rows.n)
		fprintf(out, "the table shows %zu of %zu rows\n", view->n_shown, view->cmp->rows.n);
	print_fence(view, out);
	return err;
}

static int print_text(const struct report_view *view, FILE *out)
{
	int err = print_head(view, out);

	if (!err)
		err = view->opts->wide.n ? report_view__print_wide(view, out)
					 : report_view__print_table(view, out);
	if (view->counted && shows_time(view->cmp))
		fputs("(times are counted instructions, which do not see cache misses)\n", out);
	if (view->opts->format == REPORT_MARKDOWN)
		fputc('\n', out);
	print_fence(view, out);
	err = err ?: report_view__print_lists(view, out) ?: report_view__print_means(view, out);
	print_fence(view, out);
	return err;
}

static void choose_rows(struct report_view *view, const struct compare_row **shown)
{
	const struct report_opts *opts = view->opts;

	for (size_t i = 0; i < view->cmp->rows.n; i++) {
		const struct compare_row *row = view->rows[i];

		if (opts->fail_on)
			view->failing += expr__holds_row(opts->fail_on, view->cmp, row);
		if (opts->top && view->n_shown == opts->top)
			continue;
		if (!opts->shows || opts->shows(opts->ctx, view->cmp, row))
			shown[view->n_shown++] = row;
	}
	view->shown = shown;
}

static int explain(const struct report_view *view, FILE *out, struct err *err)
{
	int ret = print_head(view, out);

	if (ret || report_view__explain(view, out))
		return ret;
	err__set(err, 0, "there is no such row to explain");
	return STATUS_USAGE;
}

static int report__print(struct report_view *view, const struct order *order, FILE *out,
			 struct err *words)
{
	_cleanup_free_ const struct compare_row **rows = NULL, **shown = NULL;
	int err = order__rows(order, view->cmp, &rows);

	if (err)
		return err;
	shown = calloc(view->cmp->rows.n ?: 1, sizeof(*shown));
	if (!shown)
		return -ENOMEM;
	view->rows = rows;
	choose_rows(view, shown);
	if (view->opts->explains)
		err = explain(view, out, words);
	else if (view->opts->format == REPORT_CSV)
		err = report_view__print_csv(view, out);
	else if (view->opts->format == REPORT_JSON)
		err = report_view__print_json(view, out);
	else
		err = print_text(view, out);
	if (!err && (fflush(out) || ferror(out)))
		err = -EIO;
	return err;
}

static int report__run(enum suite suite, const char *const paths[2], const struct order *order,
		       const struct metric_list *metrics, const struct metric_list *columns,
		       const struct report_opts *opts, FILE *out, struct err *err)
{
	struct compare_opts copts = {
		.keep = opts->keep,
		.ctx = opts->ctx,
		.metrics = metrics->list.v,
		.n_metrics = metrics->list.n,
	};
	_cleanup_(sides__reset) struct sides floor = {}, sides = {};
	_cleanup_free_ char *notes = NULL;
	struct report_view view;
	int ret = 0;

	if (opts->floor)
		ret = floor__read(&floor, suite, opts->floor, &copts, err);
	copts.same = floor.cmp;
	if (!ret)
		ret = sides__compare(&sides, suite, paths, &copts, err);
	if (!ret)
		ret = str__printf(&notes, "%s%s%s%s", floor.notes[0] ?: "", floor.notes[1] ?: "",
				  sides.notes[0], sides.notes[1]);
	if (ret)
		return ret;
	if (opts->keep && !sides.cmp->rows.n) {
		err__set(err, 0, "no row is left of %s and %s", paths[0], paths[1]);
		return STATUS_USAGE;
	}
	view = (struct report_view){
		.opts = opts,
		.paths = { paths[0], paths[1] },
		.notes = notes,
		.rec = { sides.rec[0], sides.rec[1] },
		.cmp = sides.cmp,
		.counted = env__clock(sides.rec[0]) == ENV_CLOCK_ICOUNT &&
			   env__clock(sides.rec[1]) == ENV_CLOCK_ICOUNT,
		.columns = columns->list.n ? columns->list.v : sides.cmp->metrics.v,
		.n_columns = columns->list.n ?: sides.cmp->metrics.n,
	};
	return report__print(&view, order, out, err) ?: report_view__status(&view);
}

int report__compare_files(enum suite suite, const char *path_a, const char *path_b,
			  const struct report_opts *opts, FILE *out, struct err *err)
{
	const char *const paths[2] = { path_a, path_b };
	_cleanup_(metric_list__reset) struct metric_list metrics = {}, columns = {};
	_cleanup_(order__reset) struct order order = {};
	struct err words = {};
	int ret;

	ret = metric_list__parse(&metrics, suite, &opts->emit, &words)
		      ?: metric_list__parse_wide(&columns, &metrics, suite, &opts->wide, &words)
		      ?: order__parse(suite, &opts->sort, &order, &words);
	if (ret) {
		err__set(err, ret, "%s", words.text[0] ? words.text : strerror(-ret));
		return ret == -EINVAL ? STATUS_USAGE : STATUS_UNABLE;
	}
	ret = report__run(suite, paths, &order, &metrics, &columns, opts, out, &words);
	if (ret < 0 || words.text[0])
		err__set(err, 0, "%s", words.text[0] ? words.text : strerror(-ret));
	return ret < 0 ? STATUS_UNABLE : ret;
}
