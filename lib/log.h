/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of the programs, on stderr. lib/ itself does not call these: it
 * returns errors. The level is the only global state there is.
 */
#ifndef BPF_AB_LOG_H
#define BPF_AB_LOG_H

#include "util.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

void log__set_level(enum log_level level);
enum log_level log__level(void);
/* Program name in front of every message; a static string. */
void log__set_name(const char *name);
void log__print(enum log_level level, const char *fmt, ...) __printf_like(2, 3);

#define log_err(...)   log__print(LOG_ERROR, __VA_ARGS__)
#define log_warn(...)  log__print(LOG_WARN, __VA_ARGS__)
#define log_info(...)  log__print(LOG_INFO, __VA_ARGS__)
#define log_debug(...) log__print(LOG_DEBUG, __VA_ARGS__)

#endif
