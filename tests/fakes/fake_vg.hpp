// One volume group of the fake node, which may be missing; shared by its fake worker and the fake
// observer.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "tests/fakes/fake_group.hpp"

namespace lvmd::fakes {

// Thread-safe.
class FakeVg {
 public:
  // A group that does not exist.
  explicit FakeVg(std::string name);
  explicit FakeVg(FakeGroup group);

  [[nodiscard]] const std::string& name() const { return name_; }
  // The state as a reader finds it now.
  [[nodiscard]] model::VgState state();
  [[nodiscard]] Result<std::optional<model::LogicalVolume>> apply(
      const internal::WorkerRequest& request);
  // A change outside lvmd. The group must exist.
  void change(const std::function<void(FakeGroup&)>& by_hand);
  // Sets the reason why the group can't be used; nullopt makes it usable.
  void set_trouble(std::optional<Error> trouble);

 private:
  const std::string name_;
  std::mutex mutex_;
  std::optional<FakeGroup> group_;
  std::optional<Error> trouble_;
};

}  // namespace lvmd::fakes
