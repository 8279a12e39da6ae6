#include "lvmd/base/heap.hpp"

#include <malloc.h>

namespace lvmd {

// Only glibc's allocator has the option. Others reject it, without harm.
void keep_one_heap() { static_cast<void>(::mallopt(M_ARENA_MAX, 1)); }

void trim_heap() { static_cast<void>(::malloc_trim(0)); }

}  // namespace lvmd
