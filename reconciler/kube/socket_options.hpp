// When a connection to the API server counts as dead.
#pragma once

#include <chrono>

namespace lvmd::reconciler::kube {

// What was sent and is not acknowledged for so long ends the connection.
inline constexpr std::chrono::seconds kUnacknowledged{20};

// Of a connection on which nothing happens: the time before the first probe, between two, and how
// many may stay without an answer. Together one minute [R-KUBE-15].
inline constexpr std::chrono::seconds kProbeAfter{30};
inline constexpr std::chrono::seconds kProbeInterval{10};
inline constexpr int kProbes = 3;

// Sets both on a TCP socket. False when the kernel refuses.
[[nodiscard]] bool limit_silence(int socket);

}  // namespace lvmd::reconciler::kube
