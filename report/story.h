/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a report says, in the order in which it is read: what differs between
 * the environments, a verdict on each suite, what got worse, what got better,
 * what could not be told or was not measured and why, the figures.
 */
#ifndef AB_REPORT_STORY_H
#define AB_REPORT_STORY_H

#include "doc.h"
#include "whole.h"

/* Returns 0 or -errno. */
int story__tell(const struct whole *whole, struct doc *doc);

/* Its chapters. */
int story__tell_environment(const struct whole *whole, struct doc *doc);
int story__tell_verdicts(const struct whole *whole, struct doc *doc);
int story__tell_changes(const struct whole *whole, struct doc *doc);
int story__tell_unknown(const struct whole *whole, struct doc *doc);
int story__tell_figures(const struct whole *whole, struct doc *doc);

#endif
