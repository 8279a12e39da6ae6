#include "tests/contract/crowd.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "tests/contract/client.hpp"
#include "tests/contract/scratch.hpp"

namespace lvmd::contract {
namespace {

using namespace std::chrono_literals;

constexpr int kCallersOfAKind = 4;
// The pause after a call that failed at once.
constexpr auto kPause = 5ms;

// A stream that its caller abandons while it is open.
Answer<proto::Empty> still_open() { return {.code = Code::kOk, .message = {}, .response = {}}; }

}  // namespace

Crowd::Crowd(const std::string& socket, const std::string& device_class,
             const std::string& prefix) {
  const auto call = [this, socket](const std::string& name, auto make) {
    callers_.emplace_back([this, socket, name, make]() mutable {
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
    call("Watch", [this](Client& client) {
      const auto stream = client.watch();
      for (;;) {
        if (auto end = stream->end(100ms)) return *end;
        if (leaving_) return still_open();
      }
    });
    call("Health.Watch", [this](Client& client) {
      const auto stream = client.watch_health("");
      for (;;) {
        if (auto end = stream->end(100ms)) return *end;
        if (leaving_) return still_open();
      }
    });
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
