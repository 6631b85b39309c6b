#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs a command, whose process alone (with its children if option event-fork is
# set) has events in an instance of tracefs. The kernel wants the number that
# the first PID namespace gives the process, and tells it in the trace.
#
# usage: traced.sh INSTANCE COMMAND [ARGUMENT]...
trace=$1
shift
on=$(cat "$trace/tracing_on") && echo 1 > "$trace/tracing_on" || exit 1
echo "traced.sh asks for its number" > "$trace/trace_marker" || exit 1
# Else the trace could grow faster than it is read.
echo 0 > "$trace/tracing_on"
pid=$(sed -n 's/^ *[^ ]*-\([0-9]*\) .*: traced\.sh asks for its number$/\1/p' "$trace/trace" | tail -n 1)
[ -n "$pid" ] && echo "$pid" > "$trace/set_event_pid" || exit 1
echo "$on" > "$trace/tracing_on"
exec "$@"
