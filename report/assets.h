/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a page is made with, as they are in this folder. */
#ifndef AB_REPORT_ASSETS_H
#define AB_REPORT_ASSETS_H

/* Texts that end in NUL. */
extern const char assets_css[];
extern const char assets_charts[];
extern const char assets_js[];

#endif
