#include "lvmd/base/heap.hpp"

#include <malloc.h>

namespace lvmd {

namespace {

// More than a process needs for a group with a thousand volumes.
constexpr int kMostFreeBytes = 64 << 20;

}  // namespace

// Only glibc's allocator has these options. Others reject them, without harm.
void keep_one_heap() { static_cast<void>(::mallopt(M_ARENA_MAX, 1)); }

void keep_free_memory() { static_cast<void>(::mallopt(M_TRIM_THRESHOLD, kMostFreeBytes)); }

void trim_heap() { static_cast<void>(::malloc_trim(0)); }

}  // namespace lvmd
