// When a connection to the API server counts as dead.
#pragma once

#include <chrono>

namespace lvmd::reconciler::kube {

// Data that is not acknowledged for this time ends the connection.
inline constexpr std::chrono::seconds kUnacknowledged{20};

// For an idle connection: the time before the first probe, the time between two, and the number of
// probes without an answer. Together one minute [R-KUBE-15].
inline constexpr std::chrono::seconds kProbeAfter{30};
inline constexpr std::chrono::seconds kProbeInterval{10};
inline constexpr int kProbes = 3;

// Sets both limits on a TCP socket. False on an error of the kernel.
[[nodiscard]] bool limit_silence(int socket);

}  // namespace lvmd::reconciler::kube
