// Commands as an administrator types them.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace lvmd::system_tests {

struct Done {
  int exit_code = 0;
  // stdout and stderr as they came.
  std::string output;
};

// Runs `command` with bash and waits for it.
[[nodiscard]] Done shell(const std::string& command);

// The output, without the last newline; the case fails when the command does.
[[nodiscard]] std::string output_of(const std::string& command);

// The case fails when the command does.
void must(const std::string& command);

// The usual limit of eventually() for a step of lvmd.
inline constexpr std::chrono::seconds kStepLimit{30};

// Tries `condition` until it holds, or until `limit` is over. Returns whether it holds. `limit` is
// for a real processor; on an emulated one it is four times as long.
[[nodiscard]] bool eventually(const std::function<bool()>& condition,
                              std::chrono::milliseconds limit = std::chrono::seconds{20});

}  // namespace lvmd::system_tests
