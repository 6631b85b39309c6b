// SPDX-License-Identifier: GPL-2.0-only
#include "storage_map.h"

#include <errno.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "cleanup.h"
#include "storage_elements.skel.h"

DEFINE_CLEANUP(struct btf, btf__free);
DEFINE_CLEANUP(struct storage_elements_bpf, storage_elements_bpf__destroy);

/* The kernel wants types for keys and values: an int and an array of bytes. */
static int load_types(struct btf *btf, uint32_t value_size, __u32 *ret_key, __u32 *ret_value)
{
	int key, byte, value;

	key = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	byte = btf__add_int(btf, "unsigned char", 1, 0);
	value = btf__add_array(btf, key, byte, value_size);
	if (key < 0 || byte < 0 || value < 0)
		return -ENOMEM;
	*ret_key = key;
	*ret_value = value;
	return btf__load_into_kernel(btf);
}

int storage_map__create(enum bpf_map_type type, uint32_t value_size, int *ret_fd, struct err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
	_cleanup_(btf__freep) struct btf *btf = btf__new_empty();
	int rc, fd;

	if (!btf)
		return err__set(err, -ENOMEM, "out of memory");
	rc = load_types(btf, value_size, &opts.btf_key_type_id, &opts.btf_value_type_id);
	if (rc < 0)
		return err__set(err, rc, "types of the storage map: %s", strerror(-rc));
	opts.btf_fd = btf__fd(btf);
	fd = bpf_map_create(type, "storage", sizeof(int), value_size, 0, &opts);
	if (fd == -E2BIG)
		return err__set(err, fd, "this kernel has no local storage of %u bytes",
				value_size);
	if (fd < 0)
		return err__set(err, fd, "a local storage map of values of %u bytes: %s",
				value_size, strerror(-fd));
	*ret_fd = fd;
	return 0;
}

int storage_map__elements(int fd, uint64_t *ret_elements, struct err *err)
{
	_cleanup_(storage_elements_bpf__destroyp) struct storage_elements_bpf *skel = NULL;
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int rc;

	skel = storage_elements_bpf__open();
	if (!skel)
		return err__set(err, -errno, "counting elements: %s", strerror(errno));
	rc = bpf_map__reuse_fd(skel->maps.storage, fd);
	if (rc == 0)
		rc = storage_elements_bpf__load(skel);
	if (rc == 0)
		rc = bpf_prog_test_run_opts(bpf_program__fd(skel->progs.count_elements), &run);
	if (rc < 0)
		return err__set(err, rc, "counting elements: %s", strerror(-rc));
	*ret_elements = skel->bss->elements;
	return 0;
}
