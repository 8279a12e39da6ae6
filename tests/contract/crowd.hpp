// Callers that don't stop: changes, reads and streams, each with a connection of its own, and how
// their calls end.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lvmd/base/error.hpp"

namespace lvmd::contract {

// Begins with its construction. Every caller makes the same kind of call again and again, whatever
// the answers are.
class Crowd {
 public:
  // `device_class` has room for volumes of 4 MiB; their names begin with `prefix`.
  Crowd(const std::string& socket, const std::string& device_class, const std::string& prefix);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() { end(); }

  // Waits for the calls that are on their way, and makes no other.
  void end();
  // How many calls and streams ended so until now: "CreateLV UNAVAILABLE" and so on.
  [[nodiscard]] std::map<std::string, std::size_t> ends() const;
  // Of those, the ones that ended with this code; the last message of one such.
  [[nodiscard]] std::size_t count(Code code) const;
  [[nodiscard]] std::string example(Code code) const;

 private:
  void note(const std::string& call, Code code, const std::string& message);

  std::atomic<bool> leaving_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> ends_;
  std::map<Code, std::size_t> counts_;
  std::map<Code, std::string> examples_;
  std::vector<std::thread> callers_;
};

}  // namespace lvmd::contract
