#include "tests/fakes/fake_vg.hpp"

namespace lvmd::fakes {

FakeVg::FakeVg(std::string name)
    : name_(std::move(name)),
      trouble_(make_error(Code::kUnavailable, "volume group {} does not exist", name_)) {}

FakeVg::FakeVg(FakeGroup group) : name_(group.group().name), group_(std::move(group)) {}

model::VgState FakeVg::state() {
  const std::lock_guard lock{mutex_};
  // Under the lock, because a newer state must not have an older time.
  const MonotonicTime now = monotonic_now();
  if (trouble_) return {.name = name_, .observed_at = now, .group = std::unexpected(*trouble_)};
  return {.name = name_, .observed_at = now, .group = group_->group()};
}

Result<std::optional<model::LogicalVolume>> FakeVg::apply(const internal::WorkerRequest& request) {
  const std::lock_guard lock{mutex_};
  if (trouble_) return std::unexpected(*trouble_);
  return group_->apply(request);
}

void FakeVg::change(const std::function<void(FakeGroup&)>& by_hand) {
  const std::lock_guard lock{mutex_};
  by_hand(*group_);
}

void FakeVg::set_trouble(std::optional<Error> trouble) {
  const std::lock_guard lock{mutex_};
  trouble_ = std::move(trouble);
}

}  // namespace lvmd::fakes
