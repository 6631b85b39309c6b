// SPDX-License-Identifier: GPL-2.0-only
#include "whole.h"

#include "cleanup.h"
#include "env.h"
#include "folder.h"

#define MOST_COMMAND 65536

void whole__free(struct whole *whole)
{
	if (!whole)
		return;
	for (size_t i = 0; i < RESULTS_PARTS; i++) {
		comparison__free(whole->part[i].cmp);
		free(whole->part[i].rows);
	}
	for (int i = 0; i < 2; i++) {
		results__free(whole->side[i]);
		free(whole->name[i]);
	}
	klog__reset(&whole->log);
	free(whole->command);
	free(whole->notes);
	free(whole);
}

void whole__freep(struct whole **whole)
{
	whole__free(*whole);
}

const struct recording *whole__any(const struct whole *whole, int side)
{
	for (size_t i = 0; i < RESULTS_PARTS; i++)
		if (whole->side[side]->rec[i])
			return whole->side[side]->rec[i];
	return NULL;
}

size_t whole__boots(const struct whole *whole, int side, bool measured)
{
	size_t n = 0;

	for (size_t i = 0; i < whole->side[side]->boots.n; i++)
		n += !whole->side[side]->boots.v[i].class == measured;
	return n;
}

/* ---- the sides --------------------------------------------------------------- */

static int read_command(struct whole *whole, int dir)
{
	int ret = folder__read(dir, "command", MOST_COMMAND, &whole->command, NULL);

	if (!ret)
		whole->command[strcspn(whole->command, "\n")] = '\0';
	return ret == -ENOMEM ? ret : 0;
}

/* Boots that were repeated, since they never came as far as to measure: one a line. */
static int read_retries(int dir, FILE *notes)
{
	_cleanup_free_ char *text = NULL;
	int ret = folder__read(dir, "retries", MOST_COMMAND, &text, NULL);
	char *rest = ret ? NULL : text, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			fprintf(notes, "a boot that never reached its userspace was repeated: %s\n",
				line);
	return ret == -ENOMEM ? ret : 0;
}

/* dir holds base and patched. */
static int read_both(struct whole *whole, const char *path, int dir, FILE *notes, struct err *err)
{
	static const char *const names[] = { "base", "patched" };
	int ret = read_command(whole, dir) ?: read_retries(dir, notes);

	for (int i = 0; i < 2 && !ret; i++) {
		_cleanup_free_ char *where = NULL;
		_cleanup_close_ int fd = -1;

		ret = folder__enter(dir, names[i], &fd);
		if (ret)
			return err__set(err, -EINVAL, "%s: expected folders base and patched in it",
					path);
		ret = str__printf(&where, "%s/%s", path, names[i])
			      ?: results__read(where, fd, &whole->side[i], err);
	}
	return ret;
}

/*
 * One side, or the patched one of a folder with both: what was under test then
 * is what two folders of different days are compared by.
 */
static int read_one(struct whole *whole, int side, const char *path, struct err *err)
{
	_cleanup_close_ int dir = -1, base = -1, patched = -1;
	_cleanup_free_ char *where = NULL;
	size_t len = strlen(path);
	int ret = folder__open(path, &dir);

	if (ret)
		return err__set(err, ret, "%s: %s", path, strerror(-ret));
	if (folder__enter(dir, "base", &base) || folder__enter(dir, "patched", &patched))
		return results__read(path, dir, &whole->side[side], err);
	while (len > 1 && path[len - 1] == '/')
		len--;
	return str__printf(&where, "%.*s/patched", (int)len, path)
		       ?: results__read(where, patched, &whole->side[side], err);
}

static int read_sides(struct whole *whole, const struct whole_opts *opts, FILE *notes,
		      struct err *err)
{
	_cleanup_close_ int dir = -1;
	int ret;

	if (opts->paths[1])
		return read_one(whole, 0, opts->paths[0], err)
			       ?: read_one(whole, 1, opts->paths[1], err);
	ret = folder__open(opts->paths[0], &dir);
	if (ret)
		return err__set(err, ret, "%s: %s", opts->paths[0], strerror(-ret));
	return read_both(whole, opts->paths[0], dir, notes, err);
}

static int name_sides(struct whole *whole, bool by_path)
{
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		const struct recording *rec = whole__any(whole, i);
		const char *series = rec ? recording__env(rec, "series") : NULL;
		const char *path = whole->side[i]->path;

		free(whole->name[i]);
		whole->name[i] = strdup(by_path ? path : series ?: path_base(path));
		ret = whole->name[i] ? 0 : -ENOMEM;
	}
	return ret;
}

/* What ran there, if a boot says it, else the folder's name; where it is if that is alike. */
static int find_names(struct whole *whole)
{
	int ret = name_sides(whole, false);

	return !ret && streq(whole->name[0], whole->name[1]) ? name_sides(whole, true) : ret;
}

/* ---- the comparisons --------------------------------------------------------- */

static int compare_part(struct whole *whole, enum results_part kind)
{
	struct whole_part *part = &whole->part[kind];
	const struct recording *a = whole->side[0]->rec[kind], *b = whole->side[1]->rec[kind];
	const struct compare_opts opts = {};
	size_t n;
	int ret;

	part->part = kind;
	part->recorded = a || b;
	if (part->recorded && !(a && b))
		part->status = STATUS_UNABLE;
	if (!a || !b)
		return 0;
	ret = compare__run(a, b, &opts, &part->cmp);
	if (ret)
		return ret;
	n = part->cmp->rows.n;
	part->rows = calloc(n ?: 1, sizeof(*part->rows));
	if (!part->rows)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		part->rows[i] = &part->cmp->rows.v[i];
	part->status = part->cmp->status;
	part->opts = (struct report_opts){ .names = { whole->name[0], whole->name[1] } };
	part->view = (struct report_view){
		.opts = &part->opts,
		.paths = { whole->side[0]->path, whole->side[1]->path },
		.notes = "",
		.rec = { a, b },
		.cmp = part->cmp,
		.rows = part->rows,
		.shown = part->rows,
		.n_shown = n,
		.counted = env__clock(a) == ENV_CLOCK_ICOUNT && env__clock(b) == ENV_CLOCK_ICOUNT,
		.samples = true,
	};
	return 0;
}

static int read_logs(struct whole *whole)
{
	int ret = 0;

	for (int side = 0; side < 2; side++) {
		const struct results *results = whole->side[side];

		for (size_t i = 0; i < results->boots.n && !ret; i++) {
			const struct results_boot *boot = &results->boots.v[i];
			_cleanup_free_ char *name = NULL;

			ret = str__printf(&name, "%s/%s", path_base(results->path), boot->name);
			if (!ret)
				ret = boot->log ? klog__add(&whole->log, side, name, boot->log)
						: klog__add_unread(&whole->log, side, name,
								   boot->log_why ?: "not kept");
		}
	}
	return ret;
}

/* Whether all that a side has could be compared. */
static bool is_all_compared(const struct whole *whole)
{
	bool any = false;

	for (size_t i = 0; i < RESULTS_PARTS; i++) {
		any |= whole->part[i].cmp != NULL;
		if (whole->part[i].status == STATUS_UNABLE)
			return false;
	}
	return any && !whole__boots(whole, 0, false) && !whole__boots(whole, 1, false);
}

static void set_status(struct whole *whole)
{
	static const int of_log[] = {
		[KLOG_EQUAL] = STATUS_FINE,
		[KLOG_WORSE] = STATUS_WORSE,
		[KLOG_UNREAD] = STATUS_UNABLE,
	};
	whole->status = of_log[klog__verdict(&whole->log)];
	for (size_t i = 0; i < RESULTS_PARTS; i++)
		if (whole->part[i].status > whole->status)
			whole->status = whole->part[i].status;
	if (!is_all_compared(whole))
		whole->status = STATUS_UNABLE;
}

static int read_all(struct whole *whole, const struct whole_opts *opts, FILE *notes,
		    struct err *err)
{
	int ret = 0;

	if (opts->allow)
		ret = klog__allow(&whole->log, opts->allow, err);
	ret = ret ?: read_sides(whole, opts, notes, err) ?: find_names(whole) ?: read_logs(whole);
	for (size_t i = 0; i < RESULTS_PARTS && !ret; i++)
		ret = compare_part(whole, i);
	if (ret)
		return ret;
	if (opts->command) {
		free(whole->command);
		whole->command = strdup(opts->command);
		if (!whole->command)
			return -ENOMEM;
	}
	fprintf(notes, "%s%s", whole->side[0]->notes, whole->side[1]->notes);
	set_status(whole);
	return 0;
}

int whole__read(const struct whole_opts *opts, struct whole **ret_whole, struct err *err)
{
	_cleanup_(whole__freep) struct whole *whole = calloc(1, sizeof(*whole));
	FILE *notes;
	size_t len;
	int ret;

	if (!whole)
		return -ENOMEM;
	notes = open_memstream(&whole->notes, &len);
	if (!notes)
		return -ENOMEM;
	ret = read_all(whole, opts, notes, err);
	if (fclose(notes) && !ret)
		ret = -ENOMEM;
	if (!ret)
		*ret_whole = TAKE_PTR(whole);
	return ret;
}

/* ---- in words ---------------------------------------------------------------- */

const char *whole_part__verdict(const struct whole_part *part)
{
	const size_t *counts;

	if (!part->cmp)
		return "not measured";
	counts = part->cmp->counts;
	if (part->status == STATUS_WORSE)
		return "worse";
	if (part->status == STATUS_UNABLE)
		return "not comparable";
	if (counts[VERDICT_BETTER])
		return "better";
	for (int i = 0; i < VERDICT_MAX; i++)
		if (counts[i] && i != VERDICT_EQUAL && i != VERDICT_DIFFERS)
			return "nothing worse";
	return "equal";
}

const char *whole__log_verdict(const struct whole *whole)
{
	static const char *const names[] = {
		[KLOG_EQUAL] = "equal",
		[KLOG_WORSE] = "worse",
		[KLOG_UNREAD] = "not measured",
	};

	return names[klog__verdict(&whole->log)];
}

const char *whole__verdict(const struct whole *whole)
{
	bool better = false, worse = klog__verdict(&whole->log) == KLOG_WORSE;

	for (size_t i = 0; i < RESULTS_PARTS; i++) {
		better |= whole->part[i].cmp && whole->part[i].cmp->counts[VERDICT_BETTER];
		worse |= whole->part[i].status == STATUS_WORSE;
	}
	if (!is_all_compared(whole))
		return worse ? "worse, and not all could be compared" : "could not be compared";
	if (worse)
		return "worse";
	if (whole->status == STATUS_UNABLE)
		return "nothing that was measured is worse, but a kernel log is missing";
	return better ? "nothing is worse, something is better" : "nothing is worse";
}
