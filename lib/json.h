/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A JSON text (RFC 8259), written as it comes: one value per line, indented, or
 * on one line what is deeper than flat.
 * The writer puts commas where they belong; keys and nesting are the caller's.
 *
 *	struct json json = { .out = stdout };
 *	json__begin(&json, NULL, '{');
 *	json__string(&json, "name", "x", 1);
 *	json__end(&json, '}');
 *
 * key is NULL in an array and of the outermost value. Errors are those of the
 * stream: ferror().
 */
#ifndef BPF_AB_JSON_H
#define BPF_AB_JSON_H

#include <stdio.h>

#include "util.h"

struct json {
	FILE *out;
	unsigned int flat; /* 0: each value has a line */
	bool in_html;	   /* no character that means something in HTML: < > & */
	unsigned int depth;
	bool follows; /* a value of the same object or array is already there */
};

/* open: '{' or '['; close: '}' or ']', the one that belongs to it. */
void json__begin(struct json *json, const char *key, char open);
void json__end(struct json *json, char close);

/* Any bytes: those that are not UTF-8 become U+FFFD each, since JSON has no others. */
void json__string(struct json *json, const char *key, const char *text, size_t len);
/* A string, or null for NULL. */
void json__text(struct json *json, const char *key, const char *text);
void json__u64(struct json *json, const char *key, uint64_t value);
/* What is not finite becomes null. */
void json__double(struct json *json, const char *key, double value);
/* An array of them. */
void json__doubles(struct json *json, const char *key, const double *values, size_t n);
void json__null(struct json *json, const char *key);
void json__bool(struct json *json, const char *key, bool value);

#endif
