// SPDX-License-Identifier: GPL-2.0-only
#include "verif_log.h"

bool verif_log__is_whole(const struct verif_log *log)
{
	return log->known[VERIF_INSNS];
}

/* The sum of per-subprogram stacks counts only if no line of the list is missing. */
struct subprogs {
	uint64_t next; /* id that the next line has to carry */
	uint64_t stack;
	bool broken;
};

struct reader {
	const char *pos, *end; /* rest of the current line, without its newline */
	bool closed;	       /* the line does end in a newline */
	struct verif_log log;
	struct subprogs subprogs;
};

static bool skip(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(r->end - r->pos) < n || memcmp(r->pos, word, n) != 0)
		return false;
	r->pos += n;
	return true;
}

static bool number(struct reader *r, uint64_t *ret_value)
{
	const char *p = r->pos;
	uint64_t v = 0;

	for (; p < r->end && *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *p - '0', &v))
			return false;
	}
	if (p == r->pos || (p == r->end && !r->closed))
		return false;
	r->pos = p;
	*ret_value = v;
	return true;
}

static bool at_end(const struct reader *r)
{
	return r->closed && r->pos == r->end;
}

static void set(struct reader *r, enum verif_stat stat, uint64_t value)
{
	r->log.known[stat] = true;
	r->log.value[stat] = value;
}

/* What an earlier run left is out of date. */
static void forget(struct reader *r)
{
	memset(&r->log, 0, sizeof(r->log));
	memset(&r->subprogs, 0, sizeof(r->subprogs));
}

static void read_time(struct reader *r)
{
	uint64_t us;

	forget(r);
	if (number(r, &us) && skip(r, " usec"))
		set(r, VERIF_TIME, us);
}

static void read_max_stack(struct reader *r)
{
	uint64_t depth;

	memset(&r->subprogs, 0, sizeof(r->subprogs));
	if (number(r, &depth) && at_end(r))
		set(r, VERIF_MAX_STACK, depth);
}

static void read_stacks(struct reader *r)
{
	uint64_t one, sum = 0;

	do {
		if (!number(r, &one) || __builtin_add_overflow(sum, one, &sum))
			return;
	} while (skip(r, "+"));
	if (at_end(r)) {
		set(r, VERIF_STACK, sum);
	} else if (skip(r, " max ")) {
		set(r, VERIF_STACK, sum);
		read_max_stack(r);
	}
}

static bool skip_past_last(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	for (size_t left = r->end - r->pos; left >= n; left--) {
		const char *p = r->pos + left - n;

		if (memcmp(p, word, n) == 0) {
			r->pos = p + n;
			return true;
		}
	}
	return false;
}

static void read_subprog(struct reader *r)
{
	struct subprogs *s = &r->subprogs;
	uint64_t id, stack;

	/* From the line's end: a name may hold anything. */
	if (number(r, &id) && id == s->next && skip(r, " (") && skip_past_last(r, " stack ") &&
	    number(r, &stack) && at_end(r) && !__builtin_add_overflow(s->stack, stack, &s->stack))
		s->next++;
	else
		s->broken = true;
}

static void read_processed(struct reader *r)
{
	static const struct {
		const char *before;
		enum verif_stat stat;
	} fields[] = {
		{ "", VERIF_INSNS },
		{ " insns (limit ", VERIF_STATS },
		{ ") max_states_per_insn ", VERIF_MAX_STATES_PER_INSN },
		{ " total_states ", VERIF_TOTAL_STATES },
		{ " peak_states ", VERIF_PEAK_STATES },
		{ " mark_read ", VERIF_MARK_READ },
	};
	uint64_t value;

	/* The last line of a run: a second one without a first line is another run. */
	if (verif_log__is_whole(&r->log))
		forget(r);
	if (r->subprogs.next && !r->subprogs.broken)
		set(r, VERIF_STACK, r->subprogs.stack);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!skip(r, fields[i].before) || !number(r, &value))
			return;
		if (fields[i].stat != VERIF_STATS)
			set(r, fields[i].stat, value);
	}
}

static void read_line(struct reader *r)
{
	/* "stack depth max" stands before "stack depth", which is its beginning. */
	static const struct {
		const char *prefix;
		void (*read)(struct reader *r);
	} lines[] = {
		{ "verification time ", read_time }, { "stack depth max ", read_max_stack },
		{ "stack depth ", read_stacks },     { "subprog ", read_subprog },
		{ "processed ", read_processed },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		if (skip(r, lines[i].prefix)) {
			lines[i].read(r);
			return;
		}
	}
}

void verif_log__parse(const char *text, struct verif_log *ret_log)
{
	struct reader r = {};

	while (*text) {
		r.pos = text;
		r.end = strchrnul(text, '\n');
		r.closed = *r.end == '\n';
		text = r.end + r.closed;
		read_line(&r);
	}
	*ret_log = r.log;
}
