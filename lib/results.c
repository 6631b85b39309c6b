// SPDX-License-Identifier: GPL-2.0-only
#include "results.h"

#include <ctype.h>
#include <fcntl.h>

#include "cleanup.h"
#include "envdiff.h"
#include "folder.h"
#include "recfile.h"

/* No recording or log of ours comes near; a file that does is something else. */
#define MOST_BYTES ((size_t)1 << 30)
#define MOST_CLASS 4096

static const struct {
	const char *name;
	enum suite suite;
} parts[RESULTS_PARTS] = {
	[RESULTS_TEST_PROGS] = { "test_progs", SUITE_TEST_PROGS },
	[RESULTS_VERISTAT] = { "veristat", SUITE_VERISTAT },
	[RESULTS_BENCH] = { "bench", SUITE_BENCH },
	[RESULTS_GROWTH] = { "growth", SUITE_VERISTAT },
};

const char *results_part__name(enum results_part part)
{
	return parts[part].name;
}

enum suite results_part__suite(enum results_part part)
{
	return parts[part].suite;
}

static void results_boot__reset(struct results_boot *boot)
{
	free(boot->name);
	free(boot->class);
	free(boot->log);
	free(boot->log_why);
	cleanup_closep(&boot->fd);
}

void results__free(struct results *results)
{
	if (!results)
		return;
	for (size_t i = 0; i < results->boots.n; i++)
		results_boot__reset(&results->boots.v[i]);
	vec_free(&results->boots);
	for (size_t i = 0; i < RESULTS_PARTS; i++)
		recording__free(results->rec[i]);
	free(results->path);
	free(results->notes);
	free(results);
}

void results__freep(struct results **results)
{
	results__free(*results);
}

/* ---- recordings ------------------------------------------------------------- */

struct reader {
	struct results *results;
	FILE *notes;
	struct err *err;
};

/* -ENOENT: there is none. */
static int read_file(const struct reader *reader, int fd, const char *where, const char *name,
		     char **ret_text, size_t *ret_len)
{
	static const struct {
		int err;
		const char *words;
	} reasons[] = {
		{ -EINVAL, "expected a regular file" },
		{ -ELOOP, "expected a file, not a link" },
		{ -EFBIG, "too large for what it should be" },
	};
	int ret = folder__read(fd, name, MOST_BYTES, ret_text, ret_len);

	if (!ret || ret == -ENOENT)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (ret == reasons[i].err)
			return err__set(reader->err, ret, "%s/%s: %s", where, name,
					reasons[i].words);
	return err__set(reader->err, ret, "%s/%s: %s", where, name, strerror(-ret));
}

/* Adds the next boot to what there is of a part. */
static int add_recording(struct results *results, enum results_part part, struct recording *next)
{
	struct recording *rec = results->rec[part];
	int ret;

	if (!rec) {
		results->rec[part] = next;
		return 0;
	}
	ret = env_diff__join(rec, next) ?: recording__append(rec, next);
	recording__free(next);
	return ret;
}

static int read_recording(const struct reader *reader, int fd, const char *where,
			  enum results_part part)
{
	_cleanup_free_ char *file = NULL, *sidecar = NULL, *name = NULL, *text = NULL, *env = NULL;
	struct recording *rec;
	size_t len, env_len = 0;
	int ret;

	ret = str__printf(&file, "%s.csv", parts[part].name) ?:
	      str__printf(&sidecar, "%s.csv.env", parts[part].name) ?:
	      str__printf(&name, "%s/%s.csv", where, parts[part].name);
	if (ret)
		return ret;
	ret = read_file(reader, fd, where, file, &text, &len);
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ret = read_file(reader, fd, where, sidecar, &env, &env_len);
	if (ret && ret != -ENOENT)
		return ret;
	ret = recfile__parse(name, text, len, env, env_len, parts[part].suite, reader->notes, &rec,
			     reader->err);
	return ret ?: add_recording(reader->results, part, rec);
}

static int read_recordings(const struct reader *reader, int fd, const char *where)
{
	int ret = 0;

	for (size_t i = 0; i < RESULTS_PARTS && !ret; i++)
		ret = read_recording(reader, fd, where, i);
	return ret;
}

/* ---- boots ------------------------------------------------------------------ */

/* What cannot be read is told where the log is missed, and is no error. */
static int read_log(struct results_boot *boot, const char *name)
{
	int ret = folder__read(boot->fd, name, MOST_BYTES, &boot->log, NULL);

	if (ret == -ENOMEM)
		return ret;
	if (ret)
		return str__printf(&boot->log_why, "%s: %s", name, strerror(-ret));
	if (*boot->log)
		return 0;
	free(boot->log);
	boot->log = NULL;
	return str__printf(&boot->log_why, "%s: empty", name);
}

/* One word: it is told as what became of a boot. */
static int read_class(struct results_boot *boot)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int ret = folder__read(boot->fd, "class", MOST_CLASS, &text, NULL);

	if (ret == -ENOMEM)
		return ret;
	while (!ret && (isalnum((unsigned char)text[len]) || strchr("-_", text[len] ?: ' ')))
		len++;
	if (ret || !len || streq(text, "done\n"))
		return str__printf(&boot->class, "not measured");
	return str__printf(&boot->class, "%.*s", (int)len, text);
}

static int read_boot(const struct reader *reader, struct results_boot *boot)
{
	_cleanup_free_ char *where = NULL, *mark = NULL;
	int ret;

	if (str_ends(boot->name, ".failed"))
		return read_class(boot) ?: read_log(boot, "console");
	ret = folder__read(boot->fd, "complete", MOST_CLASS, &mark, NULL);
	if (ret == -ENOMEM)
		return ret;
	if (ret)
		return str__printf(&boot->class, "unfinished") ?: read_log(boot, "console");
	return str__printf(&where, "%s/%s", reader->results->path, boot->name) ?:
	       read_recordings(reader, boot->fd, where) ?: read_log(boot, "dmesg");
}

/* Whether an entry is a folder of a boot, and not something else that is kept here. */
static bool is_boot(int fd)
{
	static const char *const marks[] = { "complete", "class", "console", "dmesg" };
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(marks) && !found; i++)
		found = !faccessat(fd, marks[i], F_OK, AT_SYMLINK_NOFOLLOW);
	for (size_t i = 0; i < RESULTS_PARTS && !found; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s.csv", parts[i].name);
		found = !faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW);
	}
	return found;
}

static int add_boot(const struct reader *reader, int dir, const char *name)
{
	struct results_boot boot = { .fd = -1 };
	int ret;

	if (str_ends(name, ".part") || folder__enter(dir, name, &boot.fd))
		return 0;
	if (!is_boot(boot.fd)) {
		close(boot.fd);
		return 0;
	}
	boot.name = strdup(name);
	ret = boot.name ? vec_push(&reader->results->boots, boot) : -ENOMEM;
	if (ret) {
		results_boot__reset(&boot);
		return ret;
	}
	return read_boot(reader, &reader->results->boots.v[reader->results->boots.n - 1]);
}

/* The side itself, if it has recordings: it is what one boot left. */
static int add_itself(const struct reader *reader, int dir)
{
	struct results_boot boot = { .fd = -1 };
	bool any = false;
	int ret;

	for (size_t i = 0; i < RESULTS_PARTS; i++)
		any |= reader->results->rec[i] != NULL;
	if (!any)
		return 0;
	boot.fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (boot.fd < 0)
		return -errno;
	boot.name = strdup(".");
	ret = boot.name ? read_log(&boot, "dmesg") : -ENOMEM;
	ret = ret ?: vec_push(&reader->results->boots, boot);
	if (ret)
		results_boot__reset(&boot);
	return ret;
}

static int read_side(const struct reader *reader, int dir)
{
	_cleanup_(folder_names__reset) struct folder_names names = {};
	struct results *results = reader->results;
	bool any = false;
	int ret = read_recordings(reader, dir, results->path)
			  ?: add_itself(reader, dir)
			  ?: folder__list(dir, &names);

	for (size_t i = 0; i < names.list.n && !ret; i++)
		ret = add_boot(reader, dir, names.list.v[i]);
	for (size_t i = 0; i < RESULTS_PARTS && !ret; i++) {
		if (!results->rec[i])
			continue;
		any = true;
		ret = recording__add_sums(results->rec[i]);
	}
	if (!ret && !any && !results->boots.n)
		return err__set(reader->err, -EINVAL,
				"%s: expected recordings or folders of boots in it", results->path);
	return ret;
}

int results__read(const char *path, int dir, struct results **ret_results, struct err *err)
{
	_cleanup_(results__freep) struct results *results = calloc(1, sizeof(*results));
	struct reader reader = { .results = results, .err = err };
	_cleanup_close_ int own = -1;
	size_t len = strlen(path);
	int ret;

	if (!results)
		return -ENOMEM;
	while (len > 1 && path[len - 1] == '/')
		len--;
	ret = str__printf(&results->path, "%.*s", (int)len, path);
	if (!ret && dir < 0) {
		ret = folder__open(path, &own);
		if (ret)
			return err__set(err, ret, "%s: %s", path, strerror(-ret));
		dir = own;
	}
	reader.notes = open_memstream(&results->notes, &len);
	if (!reader.notes)
		return -ENOMEM;
	ret = ret ?: read_side(&reader, dir);
	if (fclose(reader.notes) && !ret)
		ret = -ENOMEM;
	if (!ret)
		*ret_results = TAKE_PTR(results);
	return ret;
}
