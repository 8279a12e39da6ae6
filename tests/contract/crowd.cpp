#include "tests/contract/crowd.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "tests/contract/client.hpp"
#include "tests/contract/scratch.hpp"

namespace lvmd::contract {
namespace {

using namespace std::chrono_literals;

constexpr int kCallersOfAKind = 4;
// The pause after a call that failed at once.
constexpr auto kPause = 5ms;

// The end of the stream; OK when its caller leaves while it is open.
template <typename Message>
Answer<proto::Empty> end_of(Stream<Message>& stream, const std::atomic<bool>& leaving) {
  for (;;) {
    if (auto end = stream.end(100ms)) return *end;
    if (leaving) return {.code = Code::kOk, .message = {}, .response = {}};
  }
}

}  // namespace

Crowd::Crowd(const std::string& socket, const std::string& device_class,
             const std::string& prefix) {
  const auto call = [this, socket](const std::string& name, auto make) {
    callers_.emplace_back([this, socket, name, make = std::move(make)]() mutable {
      Client client{socket};
      while (!leaving_) {
        const auto answer = make(client);
        note(name, answer.code, answer.message);
        if (!answer.ok()) std::this_thread::sleep_for(kPause);
      }
    });
  };
  for (int caller = 0; caller < kCallersOfAKind; ++caller) {
    call("CreateLV", [device_class, prefix, caller, number = 0](Client& client) mutable {
      const std::string name = fmt::format("{}-{}-{}", prefix, caller, number++);
      auto created = client.create(create_request(device_class, name, kExtent));
      // Frees the space for the next volumes.
      if (created.ok()) static_cast<void>(client.remove(remove_request(device_class, name)));
      return created;
    });
    call("RemoveLV", [device_class, prefix](Client& client) {
      return client.remove(remove_request(device_class, prefix + "-is-not-there"));
    });
    call("GetLVList", [device_class](Client& client) { return client.list(device_class); });
    call("Watch", [this](Client& client) { return end_of(*client.watch(), leaving_); });
    call("Health.Watch",
         [this](Client& client) { return end_of(*client.watch_health(""), leaving_); });
  }
}

void Crowd::end() {
  leaving_ = true;
  for (std::thread& caller : callers_)
    if (caller.joinable()) caller.join();
}

void Crowd::note(const std::string& call, Code code, const std::string& message) {
  const std::lock_guard lock{mutex_};
  ++ends_[fmt::format("{} {}", call, to_string(code))];
  ++counts_[code];
  examples_[code] = fmt::format("{}: {}", call, message);
}

std::map<std::string, std::size_t> Crowd::ends() const {
  const std::lock_guard lock{mutex_};
  return ends_;
}

std::size_t Crowd::count(Code code) const {
  const std::lock_guard lock{mutex_};
  const auto found = counts_.find(code);
  return found == counts_.end() ? 0 : found->second;
}

std::string Crowd::example(Code code) const {
  const std::lock_guard lock{mutex_};
  const auto found = examples_.find(code);
  return found == examples_.end() ? std::string{} : found->second;
}

}  // namespace lvmd::contract
