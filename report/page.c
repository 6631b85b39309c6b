// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include "assets.h"
#include "doc.h"
#include "page_data.h"
#include "story.h"

/* A part of the data is on one line, and each of its rows. */
#define FLAT_FROM 4

/* Nothing may be fetched, whatever a name in the data would like. */
static const char head[] = "<!DOCTYPE html>\n"
			   "<html lang=\"en\">\n"
			   "<head>\n"
			   "<meta charset=\"utf-8\">\n"
			   "<meta name=\"viewport\" content=\"width=device-width, "
			   "initial-scale=1\">\n"
			   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			   "'none'; "
			   "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
			   "<title>bpf-ab: two kernels compared</title>\n"
			   "<style>\n";

int page__write(const struct whole *whole, FILE *out)
{
	struct doc doc = { .form = DOC_HTML, .out = out };
	struct json json = { .out = out, .flat = FLAT_FROM, .in_html = true };
	int err;

	fprintf(out, "%s%s</style>\n</head>\n<body class=\"s-%d\">\n<main id=\"story\">\n", head,
		assets_css, whole->status);
	err = story__tell(whole, &doc);
	if (err)
		return err;
	fputs("</main>\n"
	      "<noscript><p>The tables below need JavaScript; all that they hold is in "
	      "report.json.</p></noscript>\n"
	      "<div id=\"tables\"></div>\n"
	      "<script type=\"application/json\" id=\"data\">\n",
	      out);
	err = page_data__put(&json, whole);
	fprintf(out, "</script>\n<script>\n%s</script>\n<script>\n%s</script>\n</body>\n</html>\n",
		assets_charts, assets_js);
	return err ?: ferror(out) ? -EIO : 0;
}
