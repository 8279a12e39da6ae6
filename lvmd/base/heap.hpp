// Limits the free memory that glibc's allocator keeps. The state of a group with a thousand volumes
// consists of several megabytes of small blocks, which every change allocates and soon frees.
#pragma once

#include <chrono>

namespace lvmd {

// Limits the process to one heap, instead of up to eight per processor, and to pages of normal
// size. Otherwise the kernel's khugepaged replaces 2 MiB of the heap by a transparent huge page as
// soon as one page of them is in use, and the memory that trim_heap() has returned is in use again
// [P-RUN-29]. Call it before the first thread starts.
void limit_heap();

// Keeps free memory at the end of the heap until trim_heap(). By default glibc returns it at once
// if it is more than 128 kB.
void keep_free_memory();

// Returns free memory to the kernel. Allocating it again costs a page fault per page, so a process
// calls it only after it has received nothing for kRestBeforeTrim.
void trim_heap();
inline constexpr std::chrono::milliseconds kRestBeforeTrim{1000};

}  // namespace lvmd
