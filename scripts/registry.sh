#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# usage: registry.sh MACRO FILE...
# A line MACRO(name) per file: the registry that a program is built from.
macro=$1
shift
for f; do
	name=${f##*/}
	echo "$macro(${name%.c})"
done
