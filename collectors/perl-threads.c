/* SPDX-License-Identifier: Apache-2.0 */
/* Reads thread-specific values of another process, through glibc's list of threads. */
#include "common/compat.h"
#include "collectors/perl-threads.h"

#define THREADS_MAX 16384

/* A field as glibc describes it to libthread_db: bits of an element, number of elements, offset. */
struct field {
	uint32_t bits, count, offset;
};

static bool find_field(struct pages *pages, const char *name, struct field *field)
{
	uint64_t address = vigil_symbol_address(pages->area, "libc.so.6", name);

	return address && pages_read(pages, address, field, sizeof(*field));
}

void perl_threads_find(struct perl_threads *threads, struct pages *pages)
{
	uint64_t loader = vigil_symbol_address(pages->area, "ld-linux*", "_rtld_global");
	uint64_t size = vigil_symbol_address(pages->area, "libc.so.6",
					     "_thread_db_sizeof_pthread_key_data");
	struct field used, list, tid, specific, value;

	if (!loader || !size ||
	    !find_field(pages, "_thread_db_rtld_global__dl_stack_used", &used) ||
	    !find_field(pages, "_thread_db_pthread_list", &list) ||
	    !find_field(pages, "_thread_db_pthread_tid", &tid) ||
	    !find_field(pages, "_thread_db_pthread_specific", &specific) ||
	    !find_field(pages, "_thread_db_pthread_key_data_data", &value) ||
	    !pages_read(pages, size, &threads->value_size, sizeof(threads->value_size)))
		return;
	threads->list_at = list.offset;
	threads->tid_at = tid.offset;
	threads->specific_at = specific.offset;
	threads->specific_count = specific.count;
	threads->value_at = value.offset;
	threads->list = loader + used.offset;
}

/* Returns the value of a key: two levels, an array of pointers to blocks of as many values. */
static uint64_t value_of(const struct perl_threads *threads, struct pages *pages, uint64_t thread,
			 uint32_t key)
{
	uint32_t count = threads->specific_count;
	uint64_t block;

	RETURN_IF(!count || key / count >= count, 0);
	block = pages_pointer(pages, thread + threads->specific_at + key / count * 8);
	RETURN_IF(!block, 0);
	return pages_pointer(pages, block + (uint64_t)(key % count) * threads->value_size +
					    threads->value_at);
}

uint64_t perl_threads_value(const struct perl_threads *threads, struct pages *pages, pid_t tid,
			    uint32_t key)
{
	uint64_t node = threads->list ? pages_pointer(pages, threads->list) : 0;

	for (int i = 0; node && node != threads->list && i < THREADS_MAX; i++) {
		uint64_t thread = node - threads->list_at;

		if ((pid_t)pages_pointer(pages, thread + threads->tid_at) == tid)
			return value_of(threads, pages, thread, key);
		node = pages_pointer(pages, node);
	}
	return 0;
}
