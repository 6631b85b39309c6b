// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include "doc.h"
#include "story.h"

int page__write(const struct whole *whole, FILE *out)
{
	struct doc doc = { .form = DOC_HTML, .out = out };

	return story__tell(whole, &doc);
}
