#include "lvmd/base/heap.hpp"

#include <malloc.h>

namespace lvmd {

// Only glibc's allocator knows the option. Another one rejects it, without harm.
void keep_one_heap() { ::mallopt(M_ARENA_MAX, 1); }

void trim_heap() { ::malloc_trim(0); }

}  // namespace lvmd
