// Settings of the calling process: its name, and the signals that it handles.
#pragma once

#include <initializer_list>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd {

// Sets the name of the calling thread in ps(1) and pgrep(1); the kernel keeps 15 characters. Call
// it at the start of main: otherwise a program started with fexecve(3) is named after the
// descriptor's number.
void name_process(const char* name);

// Blocks the signals. Call it before the first thread starts.
[[nodiscard]] Status block_signals(std::initializer_list<int> signals);

// Blocks the signals and returns a non-blocking descriptor from which signalfd_siginfo can be read.
[[nodiscard]] Result<UniqueFd> watch_signals(std::initializer_list<int> signals);

}  // namespace lvmd
