#include "lvmd/base/heap.hpp"

#include <malloc.h>

namespace lvmd {
namespace {

// glibc's own first value; setting it ends its growth with each large block that is freed.
constexpr int kMmapThreshold = 128 * 1024;

}  // namespace

// Refused only by an allocator that isn't glibc's, which then has its own ways.
void keep_one_heap() {
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_MMAP_THRESHOLD, kMmapThreshold);
}

void trim_heap() { ::malloc_trim(0); }

}  // namespace lvmd
