#include "lvmd/base/heap.hpp"

#include <malloc.h>

namespace lvmd {

// Refused only by an allocator that isn't glibc's, which then has its own ways.
void keep_one_heap() { ::mallopt(M_ARENA_MAX, 1); }

void trim_heap() { ::malloc_trim(0); }

}  // namespace lvmd
