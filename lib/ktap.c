// SPDX-License-Identifier: GPL-2.0-only
#include "ktap.h"

#include <ctype.h>

#include "cleanup.h"

#define MAX_DEPTH  32
#define MAX_PREFIX 128

enum directive { DIRECTIVE_NONE, DIRECTIVE_SKIP, DIRECTIVE_EXPECTED };

/* A result whose test has not ended yet: which one it is in is read only then. */
struct pending {
	char *path;	     /* owned; "outer/inner" of what is known so far */
	char *message;	     /* owned; may be NULL */
	const char *outcome; /* a word of metric "outcome" */
};

/* A version line and what belongs to it: all with the same beginning. */
struct block {
	char prefix[MAX_PREFIX]; /* spaces and "# " before its lines */
	size_t first;		 /* its results among those that are pending */
	uint64_t planned, seen;
	bool has_plan;
	char *comment; /* the diagnostic line just before, in the text; or NULL */
};

struct reader {
	const char *name;
	unsigned int line;
	const char *start; /* of the line */
	FILE *notes;
	struct recording *rec;
	VEC(struct pending) pending;
	struct block blocks[MAX_DEPTH];
	size_t depth;
};

static void reader__clear(struct reader *reader)
{
	for (size_t i = 0; i < reader->pending.n; i++) {
		free(reader->pending.v[i].path);
		free(reader->pending.v[i].message);
	}
	vec_free(&reader->pending);
}

static int reader__error(const struct reader *reader, const char *at, const char *expected,
			 struct err *err)
{
	return err__set(err, -EINVAL, "%s:%u:%zu: expected %s, found '%.60s'", reader->name,
			reader->line, at - reader->start + 1, expected, at);
}

static void reader__cut(struct reader *reader, const char *why)
{
	reader->rec->complete = false;
	fprintf(reader->notes, "%s:%u: cut short: %s\n", reader->name, reader->line, why);
}

/* ---- lines ------------------------------------------------------------------- */

/* Behind "<6>[   12.345678] ", as the kernel's log has it. */
static char *skip_stamp(char *line)
{
	char *s = line;

	if (*s == '<' && isdigit((unsigned char)s[1])) {
		s += strspn(s + 1, "0123456789") + 1;
		if (*s++ != '>')
			return line;
	}
	if (*s != '[')
		return line;
	s++;
	s += strspn(s, " 0123456789.");
	return *s == ']' && s[1] == ' ' ? s + 2 : line;
}

static bool is_version(const char *text)
{
	return str_starts(text, "KTAP version ") || str_starts(text, "TAP version ");
}

bool ktap__is(const char *text)
{
	char start[256];

	text += strspn(text, " \t\r\n");
	snprintf(start, sizeof(start), "%.*s", (int)strcspn(text, "\n"), text);
	return is_version(skip_stamp(start));
}

/* Its length is that of spaces and "# " that a line begins with. */
static size_t prefix_len(const char *line)
{
	size_t len = 0;

	while (line[len] == ' ' || (line[len] == '#' && line[len + 1] == ' '))
		len++;
	return len;
}

static void cut_end(char *text)
{
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
}

/* ---- results ------------------------------------------------------------------ */

/* Takes path and message over, also on failure. */
static int add_pending(struct reader *reader, char *path, const char *outcome, char *message)
{
	struct pending pending = { path, message, outcome };
	int rc = path ? vec_push(&reader->pending, pending) : -ENOMEM;

	if (rc < 0) {
		free(path);
		free(message);
	}
	return rc;
}

/* The outermost test has ended, so that all pending paths are whole: "TEST/SUBTEST". */
static int record_pending(struct reader *reader, size_t name_len)
{
	struct recording *rec = reader->rec;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < reader->pending.n; i++) {
		struct pending *pending = &reader->pending.v[i];
		bool is_test = !pending->path[name_len];
		struct record_row *row;

		pending->path[name_len] = '\0';
		rc = recording__add_row(rec, pending->path,
					is_test ? "" : pending->path + name_len + 1, &row);
		if (rc == 0)
			rc = recording__set_text(rec, row, "outcome", pending->outcome);
		if (rc == 0 && pending->message)
			rc = recording__set_text(rec, row, "message", pending->message);
	}
	reader__clear(reader);
	return rc;
}

/* Puts "name/" before what was nested in a test of that name. */
static int name_nested(struct reader *reader, size_t first, const char *name, bool *ret_failed)
{
	*ret_failed = false;
	for (size_t i = first; i < reader->pending.n; i++) {
		struct pending *pending = &reader->pending.v[i];
		char *path;

		if (str__printf(&path, "%s/%s", name, pending->path) < 0)
			return -ENOMEM;
		free(pending->path);
		pending->path = path;
		if (streq(pending->outcome, "fail"))
			*ret_failed = true;
	}
	return 0;
}

static int end_test(struct reader *reader, size_t first, const char *name, const char *outcome,
		    const char *message)
{
	bool has_nested = reader->pending.n > first, nested_failed;
	int rc = name_nested(reader, first, name, &nested_failed);

	if (rc == 0 && (!has_nested || (streq(outcome, "fail") && !nested_failed))) {
		char *copy = message && *message ? strdup(message) : NULL;

		if (message && *message && !copy)
			return -ENOMEM;
		rc = add_pending(reader, strdup(name), outcome, copy);
	}
	if (rc == 0 && reader->depth == 1)
		rc = record_pending(reader, strlen(name));
	return rc;
}

/* ---- blocks ------------------------------------------------------------------ */

static void close_blocks(struct reader *reader, size_t depth)
{
	for (; reader->depth > depth; reader->depth--) {
		const struct block *block = &reader->blocks[reader->depth - 1];
		char why[96];

		if (!block->has_plan || block->seen == block->planned)
			continue;
		snprintf(why, sizeof(why), "%ju results where %ju were planned",
			 (uintmax_t)block->seen, (uintmax_t)block->planned);
		reader__cut(reader, why);
	}
}

/* What begins with prefix is in a block of its own, inside those with less of it. */
static int open_block(struct reader *reader, const char *prefix, const char *at, struct err *err)
{
	size_t first = reader->pending.n, depth = reader->depth;
	struct block *block;

	while (depth && strlen(reader->blocks[depth - 1].prefix) >= strlen(prefix))
		depth--;
	/* A second one in the same test: its results go with those of the first. */
	if (depth && depth < reader->depth)
		first = reader->blocks[depth].first;
	close_blocks(reader, depth);
	if (depth == MAX_DEPTH || strlen(prefix) >= MAX_PREFIX)
		return reader__error(reader, at, "tests nested less deeply", err);
	block = &reader->blocks[reader->depth++];
	*block = (struct block){ .first = first };
	strcpy(block->prefix, prefix);
	return 0;
}

/* The block whose lines begin so, or NULL. */
static struct block *find_block(struct reader *reader, const char *prefix, size_t *ret_nth)
{
	for (size_t i = reader->depth; i-- > 0;) {
		if (!streq(reader->blocks[i].prefix, prefix))
			continue;
		*ret_nth = i;
		return &reader->blocks[i];
	}
	return NULL;
}

/* A line of words: if it is a comment of a block that is open, the last one counts. */
static void keep_comment(struct reader *reader, const char *prefix, char *text)
{
	for (size_t i = reader->depth; i-- > 0;) {
		struct block *block = &reader->blocks[i];
		size_t len = strlen(block->prefix);

		if (strncmp(prefix, block->prefix, len) == 0 && str_starts(prefix + len, "# ")) {
			block->comment = text;
			return;
		}
	}
}

/* ---- the parts of a line -------------------------------------------------------- */

/* Ends the name and finds the directive behind " # "; ret_reason is behind its word. */
static enum directive cut_directive(char *name, char **ret_reason)
{
	static const struct {
		const char *word;
		enum directive directive;
	} words[] = {
		{ "SKIP", DIRECTIVE_SKIP },
		{ "TODO", DIRECTIVE_EXPECTED },
		{ "XFAIL", DIRECTIVE_EXPECTED },
	};
	char *hash = name;

	*ret_reason = NULL;
	while ((hash = strchr(hash, '#')) && hash > name && hash[-1] == '\\')
		hash++;
	if (!hash)
		return DIRECTIVE_NONE;
	*hash++ = '\0';
	hash += strspn(hash, " ");
	*ret_reason = hash;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i].word);

		if (strncasecmp(hash, words[i].word, len) == 0 &&
		    !isalnum((unsigned char)hash[len])) {
			*ret_reason = hash + len + strspn(hash + len, " :");
			return words[i].directive;
		}
	}
	return DIRECTIVE_NONE;
}

/* text: behind "ok" or "not ok". */
static int read_result(struct reader *reader, size_t nth, char *text, bool passed, struct err *err)
{
	struct block *block = &reader->blocks[nth];
	enum directive directive;
	char number[24], *reason;
	const char *outcome;
	size_t digits, first;

	text += strspn(text, " ");
	digits = strspn(text, "0123456789");
	if (!digits || digits >= sizeof(number) || (text[digits] && text[digits] != ' '))
		return reader__error(reader, text, "the number of a test", err);
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	text += digits + strspn(text + digits, " ");
	if (str_starts(text, "- "))
		text += 2;
	directive = cut_directive(text, &reason);
	cut_end(text);
	if (!*text)
		text = number;
	outcome = directive == DIRECTIVE_SKIP		       ? "skip"
		  : directive == DIRECTIVE_EXPECTED && !passed ? "skip"
		  : passed				       ? "pass"
							       : "fail";
	if (!passed && directive == DIRECTIVE_NONE && !reason)
		reason = block->comment;
	block->seen++;
	block->comment = NULL;
	first = reader->depth > nth + 1 ? reader->blocks[nth + 1].first : reader->pending.n;
	close_blocks(reader, nth + 1);
	return end_test(reader, first, text, outcome, reason);
}

static int read_plan(struct reader *reader, struct block *block, char *text, struct err *err)
{
	char *number = text + strlen("1..");

	/* What a plan of nothing is skipped for may stand behind it. */
	number[strcspn(number, " #")] = '\0';
	if (str__to_u64(number, 10, &block->planned) < 0)
		return reader__error(reader, text, "a plan like 1..N", err);
	if (block->has_plan)
		return reader__error(reader, text, "one plan for each version line", err);
	block->has_plan = true;
	return 0;
}

static int read_line(struct reader *reader, char *line, struct err *err)
{
	char prefix[MAX_PREFIX], *text;
	struct block *block;
	size_t len, nth;

	reader->start = line;
	line = skip_stamp(line);
	len = prefix_len(line);
	text = line + len;
	cut_end(text);
	/* Nothing of KTAP's is as deep as that; as a comment it says as much without. */
	if (len >= sizeof(prefix))
		return 0;
	snprintf(prefix, sizeof(prefix), "%.*s", (int)len, line);
	if (is_version(text))
		return open_block(reader, prefix, text, err);
	if (!reader->depth)
		return 0;
	if (str_starts(text, "Bail out!")) {
		reader__cut(reader, text);
		return 0;
	}
	block = find_block(reader, prefix, &nth);
	if (str_starts(text, "1..") && isdigit((unsigned char)text[3])) {
		/* Before KTAP had versions of nested tests, their plan began them. */
		if (!block && !strchr(prefix, '#')) {
			int rc = open_block(reader, prefix, text, err);

			if (rc < 0)
				return rc;
			block = &reader->blocks[reader->depth - 1];
		}
		return block ? read_plan(reader, block, text, err) : 0;
	}
	if (block && str_starts(text, "ok "))
		return read_result(reader, nth, text + strlen("ok"), true, err);
	if (block && str_starts(text, "not ok "))
		return read_result(reader, nth, text + strlen("not ok"), false, err);
	keep_comment(reader, prefix, text);
	return 0;
}

static int read_lines(struct reader *reader, char *text, struct err *err)
{
	char *next;
	int rc = 0;

	for (char *line = text; rc == 0 && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		reader->line++;
		rc = read_line(reader, line, err);
	}
	if (rc < 0)
		return rc;
	if (reader->pending.n)
		reader__cut(reader, "the last test has not ended; its subtests are left out");
	close_blocks(reader, 0);
	if (!reader->rec->rows.n)
		return err__set(err, -EINVAL, "%s:%u:1: expected a result, found none",
				reader->name, reader->line);
	return 0;
}

int ktap__read(const char *name, char *text, FILE *notes, struct recording **ret_rec,
	       struct err *err)
{
	_cleanup_(reader__clear) struct reader reader = { .name = name, .notes = notes };
	_cleanup_(recording__freep) struct recording *rec = NULL;
	int rc;

	rc = recording__new(SUITE_TEST_PROGS, &rec);
	if (rc == 0)
		rc = recording__add_column(rec, metric__find(SUITE_TEST_PROGS, "outcome"));
	if (rc == 0)
		rc = recording__add_column(rec, metric__find(SUITE_TEST_PROGS, "message"));
	reader.rec = rec;
	if (rc == 0)
		rc = read_lines(&reader, text, err);
	if (rc == 0)
		*ret_rec = TAKE_PTR(rec);
	return rc;
}
