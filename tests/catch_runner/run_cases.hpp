#pragma once

#include <functional>
#include <string>

namespace lvmd::catch_runner {

/// Runs the cases that the program is linked with, as the command line says; returns its exit code.
/// `set_up` is called once before the first case, and not when cases are only listed. A text that
/// it returns tells why no case can run: it is printed, and the exit code is 2.
int run_cases(int argc, char** argv, const std::function<std::string()>& set_up);

}  // namespace lvmd::catch_runner
