// What glibc's allocator keeps of memory that is free. A state of a thousand volumes is some
// megabytes of small blocks, comes with every change, and is gone a moment later.
#pragma once

#include <chrono>

namespace lvmd {

// One heap for all threads instead of up to eight per processor. Call it before the first thread
// starts.
void keep_one_heap();

// Gives whatever is free back to the kernel. Getting it again costs a page fault for each page, so
// not between two changes, but when nothing has come for so long.
void trim_heap();
inline constexpr std::chrono::milliseconds kRestBeforeTrim{1000};

}  // namespace lvmd
