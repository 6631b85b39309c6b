// SPDX-License-Identifier: GPL-2.0-only
/* Logs of the verifier: statistics, source lines. */
#include "cleanup.h"
#include "fuzz.h"
#include "src_lines.h"
#include "verif_log.h"

void fuzz_verif_log(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = fuzz_text(data, len);
	const char *end = text + strlen(text);
	struct src_lines lines;
	struct verif_log log;

	verif_log__parse(text, &log);
	for (int i = 0; i < VERIF_STATS; i++)
		fuzz_require(log.known[i] || !log.value[i]);
	fuzz_require(src_lines__count(text, &lines) == 0);
	for (size_t i = 0; i < lines.n; i++) {
		const struct src_line *line = &lines.v[i];

		fuzz_require(line->n && line->text > text && line->text + line->len <= end);
		fuzz_require(!line->place || line->place + line->place_len <= end);
		fuzz_require(!i || line->n <= lines.v[i - 1].n);
	}
	src_lines__clear(&lines);
}
