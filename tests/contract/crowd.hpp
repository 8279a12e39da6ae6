// Concurrent callers in a loop: changes, reads and streams, each with its own connection; counts
// how their calls end.
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

// Starts at construction. Every caller repeats one kind of call, whatever the answers are.
class Crowd {
 public:
  // `device_class` has space for volumes of 4 MiB; their names begin with `prefix`.
  Crowd(const std::string& socket, const std::string& device_class, const std::string& prefix);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() { end(); }

  // Waits for the calls in flight, and makes no more.
  void end();
  // The number of calls and streams by kind and code so far: "CreateLV UNAVAILABLE" and so on.
  [[nodiscard]] std::map<std::string, std::size_t> ends() const;
  // The number that ended with this code, and the last message of one of them.
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
