// What glibc's allocator keeps of memory that is free. A state of a thousand volumes is some
// megabytes of small blocks, comes with every change, and is gone a moment later.
#pragma once

namespace lvmd {

// One heap for all threads instead of up to eight per processor, and large blocks go back to the
// kernel when they are freed, however many came before. Call it before the first thread starts.
void keep_one_heap();

// Gives whatever is free back to the kernel. Well below a millisecond; for the end of an event that
// had a whole state in its hands.
void trim_heap();

}  // namespace lvmd
