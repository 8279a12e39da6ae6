#include "lvmd/base/heap.hpp"

#include <malloc.h>
#include <sys/prctl.h>

namespace lvmd {

namespace {

// More than a process needs for a group with a thousand volumes.
constexpr int kMostFreeBytes = 64 << 20;

}  // namespace

// Only glibc's allocator has the options of mallopt(). Others reject them, without harm.
void limit_heap() {
  static_cast<void>(::mallopt(M_ARENA_MAX, 1));
  // A kernel without huge pages rejects it.
  static_cast<void>(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
}

void keep_free_memory() { static_cast<void>(::mallopt(M_TRIM_THRESHOLD, kMostFreeBytes)); }

void trim_heap() { static_cast<void>(::malloc_trim(0)); }

}  // namespace lvmd
