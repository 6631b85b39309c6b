// SPDX-License-Identifier: GPL-2.0-only
#include "assets.h"

/* The paths are from the top of the tree, where make runs the compiler. */
#define ASSET(name, path)                       \
	__asm__(".pushsection .rodata\n"        \
		".global " name "\n" name ":\n" \
		".incbin \"" path "\"\n"        \
		".byte 0\n"                     \
		".popsection\n")

ASSET("assets_css", "report/page.css");
ASSET("assets_charts", "report/page_charts.js");
ASSET("assets_js", "report/page.js");
