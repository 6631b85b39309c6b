# SPDX-License-Identifier: GPL-2.0-only
#
# make          the three programs and their BPF objects
# make test     everything that CI runs
# make ab       base kernel against patched kernel, end to end
# make package  an archive of static programs that measures on any machine
# make install  to $(DESTDIR)$(PREFIX), /usr/local by default
# make kernel-patch  our verifier tests as a patch of the kernel's selftests
# make analyze  clang-tidy, scan-build and shellcheck
# make lint     formatting, include columns, shell scripts
# make fuzz     libFuzzer on the readers, a minute each
# make clean    removes .output and the programs; distclean also .cache
#
# KSRC=DIR takes libbpf, bpftool and kernels from your tree.
# SAN=1 before any of these: with address and undefined behaviour sanitizers, in
# .output-san/, which is this tree again by links.
# V=1 shows commands.

OUT := .output
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

.DEFAULT_GOAL := all
MAKEFLAGS += --no-builtin-rules -j$(shell nproc)
.DELETE_ON_ERROR:
.SECONDARY:

# ---- sanitizers -------------------------------------------------------------
# The whole tree by links in a folder with a .output of its own: programs, scripts and
# tests find each other there as they do here.

ifneq ($(SAN),)
SAN_TREE := .output-san
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
san_goals := $(or $(MAKECMDGOALS),all)

$(firstword $(san_goals)): san-tree
	$(Q)$(MAKE) -C $(SAN_TREE) SAN= SAN_CFLAGS='$(SAN_FLAGS)' \
		BPF_AB_CACHE='$(or $(BPF_AB_CACHE),$(CURDIR)/.cache)' $(san_goals)
$(filter-out $(firstword $(san_goals)),$(san_goals)): $(firstword $(san_goals)) ;
san-tree:
	$(Q)mkdir -p $(SAN_TREE)
	$(Q)ln -sfn $(addprefix ../,$(filter-out test_progs veristat bench ab-report,$(wildcard *)) \
		.ci .clang-format) $(SAN_TREE)/
.PHONY: $(san_goals) san-tree
else

# ---- what set-up found ------------------------------------------------------

no_setup_goals := clean distclean help lint
ifneq ($(filter-out $(no_setup_goals),$(or $(MAKECMDGOALS),all)),)
# Set up for another tree: do it again. (Make reads it anew only if it was not there.)
ifneq ($(shell sed -n 's/^KSRC_WANTED := *//p' $(OUT)/setup.mk 2>/dev/null),$(KSRC))
$(shell rm -f $(OUT)/setup.mk)
endif
include $(OUT)/setup.mk
endif

$(OUT)/setup.mk: scripts/setup.sh scripts/packages scripts/get-linux.sh
	$(Q)KSRC='$(KSRC)' scripts/setup.sh

# ---- the programs -----------------------------------------------------------

CC ?= gcc
ifeq ($(origin CC),default)
CC := gcc
endif
WARN := -Wall -Wextra -Werror
REVISION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
CFLAGS ?= -O2 -g
AB_CFLAGS := -std=gnu11 $(WARN) -D_GNU_SOURCE -Ilib -I$(OUT)/gen -isystem $(TOOLS)/include \
	-isystem $(KSRC_FOUND)/tools/include/uapi $(CFLAGS) $(SAN_CFLAGS)
AB_LIBS := $(OUT)/libbpfab.a $(OUT)/libbpf.a -lsmartcols -lelf -lz -lm -lpthread

obj = $(patsubst %.c,$(OUT)/%.o,$(1))
LIB_SRC := $(wildcard lib/*.c)
RUNNER_SRC := $(wildcard runner/*.c prog_tests/*.c)
VERISTAT_SRC := $(wildcard veristat_ext/*.c)
BENCH_SRC := $(wildcard benchs/*.c)
REPORT_SRC := $(wildcard report/*.c)
UNIT_SRC := $(wildcard unit/test_*.c)

PROGRAMS := $(if $(RUNNER_SRC),test_progs) $(if $(VERISTAT_SRC),veristat) \
	$(if $(BENCH_SRC),bench) ab-report

all: $(PROGRAMS) progs

test_progs: $(call obj,$(RUNNER_SRC)) $(OUT)/libbpfab.a $(OUT)/libbpf.a
veristat: $(call obj,$(VERISTAT_SRC)) $(OUT)/libbpfab.a $(OUT)/libbpf.a
bench: $(call obj,$(BENCH_SRC)) $(OUT)/libbpfab.a $(OUT)/libbpf.a
ab-report: $(call obj,$(REPORT_SRC)) $(OUT)/libbpfab.a $(OUT)/libbpf.a
test_progs veristat bench ab-report:
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SAN_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(AB_LIBS)

# What lib/native.c takes if it is there: it is not linked in.
$(OUT)/llvm-disasm.so: scripts/llvm-disasm.sh lib/native.c
	$(call say,LD,$@)
	$(Q)scripts/llvm-disasm.sh $@
test_progs: | $(OUT)/llvm-disasm.so

# What lib/kbtf.c replaces, and the name by which it calls the original.
$(OUT)/libbpf.a: $(TOOLS)/libbpf/libbpf.a Makefile
	$(Q)ld -r -o $(@:.a=.o) --whole-archive $< --defsym=libbpf_load_vmlinux_btf=btf__load_vmlinux_btf
	$(Q)objcopy --weaken-symbol=btf__load_vmlinux_btf $(@:.a=.o)
	$(Q)rm -f $@ && ar rcs $@ $(@:.a=.o)

$(OUT)/libbpfab.a: $(call obj,$(LIB_SRC))
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(OUT)/%.o: %.c $(OUT)/setup.mk
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(AB_CFLAGS) -MMD -MP -c -o $@ $<

# What the page is made with is in the program.
$(OUT)/report/assets.o: report/page.css report/page.js report/page_charts.js

# The revision is in one file, so that a commit rebuilds one file.
$(OUT)/lib/env.o: AB_CFLAGS += -DBPF_AB_REVISION='"$(REVISION)"'
$(OUT)/lib/env.o: $(OUT)/revision
$(OUT)/revision: FORCE
	$(Q)mkdir -p $(@D); echo '$(REVISION)' | cmp -s - $@ || echo '$(REVISION)' > $@

# Registries made of file names: a case is its file and nothing else.
$(OUT)/gen/prog_tests.h: scripts/registry.sh prog_tests
	$(Q)mkdir -p $(@D); scripts/registry.sh TEST $(sort $(wildcard prog_tests/*.c)) > $@
$(OUT)/gen/benchs.h: scripts/registry.sh benchs
	$(Q)mkdir -p $(@D); scripts/registry.sh BENCH $(sort $(wildcard benchs/bench_*.c)) > $@
$(call obj,$(RUNNER_SRC)): AB_CFLAGS += -Irunner
$(call obj,$(RUNNER_SRC)): | $(OUT)/gen/prog_tests.h
$(call obj,$(BENCH_SRC)): | $(OUT)/gen/benchs.h

# ---- BPF objects ------------------------------------------------------------
# progs/NAME.bpf.c is embedded by a skeleton; any other progs/*.c is loaded
# from $(OUT)/progs/NAME.bpf.o.

SKEL_SRC := $(wildcard progs/*.bpf.c)
PROG_SRC := $(filter-out $(SKEL_SRC),$(wildcard progs/*.c))
SKELS := $(patsubst progs/%.bpf.c,$(OUT)/gen/%.skel.h,$(SKEL_SRC))
PROG_OBJ := $(patsubst progs/%.c,$(OUT)/progs/%.bpf.o,$(PROG_SRC))
BPFTOOL = $(TOOLS)/bpftool/bootstrap/bpftool

BPF_CFLAGS := -target bpf -mcpu=v3 -std=gnu11 -g -O2 -Wall -Werror -Wno-unused-function \
	-Wno-compare-distinct-pointer-types -D__TARGET_ARCH_x86 \
	-Iprogs -isystem $(TOOLS)/include -isystem $(KSRC_FOUND)/tools/include/uapi \
	-idirafter /usr/include/$(shell gcc -print-multiarch 2>/dev/null) -idirafter /usr/include

progs: $(PROG_OBJ)

$(OUT)/progs/%.bpf.o: progs/%.c $(OUT)/setup.mk
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) $(BPF_CFLAGS_$*) -MMD -MP -c -o $@ $<

# One program at several sizes, for scripts/growth.sh.
$(OUT)/growth/growth-%.bpf.o: progs/growth.c $(OUT)/setup.mk
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -DK=$* -MMD -MP -c -o $@ $<

$(OUT)/gen/%.bpf.o: progs/%.bpf.c $(OUT)/setup.mk
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/gen/%.skel.h: $(OUT)/gen/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@

$(call obj,$(LIB_SRC) $(BENCH_SRC) $(RUNNER_SRC) $(VERISTAT_SRC)): | $(SKELS)

# ---- for other machines -------------------------------------------------------

STATIC := $(OUT)/static
STATIC_PROGRAMS := $(addprefix $(STATIC)/,$(PROGRAMS))
STATIC_LIBS = $(STATIC)/libsmartcols.a $(shell pkg-config --static --libs libelf) -lz -lm -lpthread

$(STATIC)/test_progs: $(call obj,$(RUNNER_SRC))
$(STATIC)/veristat: $(call obj,$(VERISTAT_SRC))
$(STATIC)/bench: $(call obj,$(BENCH_SRC))
$(STATIC)/ab-report: $(call obj,$(REPORT_SRC))
$(STATIC_PROGRAMS): $(STATIC)/native.o $(OUT)/libbpfab.a $(OUT)/libbpf.a $(STATIC)/libsmartcols.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) -static -o $@ $(filter %.o,$^) $(OUT)/libbpfab.a $(OUT)/libbpf.a \
		$(STATIC_LIBS)

# Nothing can be loaded at run time.
$(STATIC)/native.o: lib/native.c $(OUT)/setup.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(AB_CFLAGS) -DBPF_AB_STATIC -MMD -MP -c -o $@ $<
$(STATIC)/libsmartcols.a: scripts/static-smartcols.sh
	$(Q)mkdir -p $(@D)
	$(Q)cp "$$(scripts/static-smartcols.sh)" $@

package: all $(STATIC_PROGRAMS)
	$(Q)scripts/package.sh $(PACKAGE_ARGS)

MAN := $(patsubst docs/man/%.in,$(OUT)/man/%,$(wildcard docs/man/*.in))
man: $(MAN)
$(OUT)/man/bpf-ab.1: docs/man/bpf-ab.1.in scripts/man.sh scripts/ab
	$(Q)mkdir -p $(@D); scripts/man.sh $< scripts/ab > $@
$(OUT)/man/%.1: docs/man/%.1.in scripts/man.sh %
	$(Q)mkdir -p $(@D); scripts/man.sh $< ./$* > $@

PREFIX ?= /usr/local
install: all man
	$(Q)scripts/install.sh '$(DESTDIR)' '$(PREFIX)'

kernel-patch:
	$(Q)scripts/kernel-patch.sh

# ---- tests ------------------------------------------------------------------

UNIT_BIN := $(patsubst unit/%.c,$(OUT)/unit/%,$(UNIT_SRC))
unit: $(UNIT_BIN)

$(OUT)/unit/%: $(OUT)/unit/%.o $(OUT)/libbpfab.a $(OUT)/libbpf.a
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(SAN_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(AB_LIBS) -lcmocka

# The targets of "make fuzz", here with their seeds.
FUZZ_SRC := $(wildcard fuzz/fuzz_*.c)
$(OUT)/unit/test_seeds: $(call obj,$(FUZZ_SRC))

# Parts of a program that have tests of their own.
$(OUT)/unit/test_report: $(call obj,$(filter-out report/ab_report.c,$(REPORT_SRC)))
$(OUT)/unit/test_report.o: AB_CFLAGS += -Ireport
$(OUT)/unit/test_bench: $(call obj,$(filter-out benchs/bench% benchs/command.c,$(BENCH_SRC)))

test: all unit
	$(Q)scripts/test.sh

# FUZZ=NAME takes one target, FUZZ_SECONDS=N looks at each for so long.
fuzz: all
	$(Q)FUZZ_FLAGS='$(AB_CFLAGS)' scripts/fuzz.sh '$(OUT)/libbpf.a' $(FUZZ)

ab: all
	$(Q)scripts/ab $(AB_ARGS)

# All three claims, into docs/results: an hour when cold.
ab-all: all
	$(Q)scripts/ab-all.sh --into docs/results $(AB_ARGS)

lint:
	$(Q)scripts/lint.sh

# ANALYZE=tidy, scan or shell: that one only.
analyze: all
	$(Q)ANALYZE_FLAGS='$(AB_CFLAGS)' scripts/analyze.sh $(ANALYZE)

clean:
	rm -rf $(OUT) test_progs veristat bench ab-report
distclean: clean
	rm -rf .cache

help:
	$(Q)sed -n '3,/^$$/s/^# \{0,1\}//p' Makefile

FORCE:
.PHONY: all progs unit test fuzz ab ab-all package man install kernel-patch lint analyze clean distclean help FORCE

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)

endif # SAN
