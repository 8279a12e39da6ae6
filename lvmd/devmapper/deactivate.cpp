#include "lvmd/devmapper/deactivate.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <utility>

#include "lvmd/devmapper/dm_control.hpp"
#include "lvmd/model/mapped_name.hpp"

namespace lvmd::devmapper {
namespace {

// LVM locks all memory of the process before it suspends a device, and glibc keeps the stack of a
// thread that has ended. The default is 8 MB.
constexpr std::size_t kStackSize = std::size_t{128} << 10U;
constexpr std::chrono::microseconds kInterval{200};

}  // namespace

class Deactivation::Removal {
 public:
  Removal(DmControl control, std::string uuid)
      : control_(std::move(control)), uuid_(std::move(uuid)) {}
  Removal(const Removal&) = delete;
  Removal& operator=(const Removal&) = delete;
  ~Removal() {
    if (thread_) ::pthread_join(*thread_, nullptr);
  }

  void start() {
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, kStackSize);
    pthread_t thread{};
    const int error = ::pthread_create(&thread, &attributes, &run, this);
    ::pthread_attr_destroy(&attributes);
    if (error == 0)
      thread_ = thread;
    else
      run(this);
  }

  // Whether the ioctl has returned; then result() is valid.
  [[nodiscard]] bool has_ended() const { return ended_; }
  [[nodiscard]] const Result<bool>& result() const { return result_; }

 private:
  static void* run(void* removal) {
    auto& self = *static_cast<Removal*>(removal);
    self.result_ = self.control_.remove(self.uuid_);
    self.ended_ = true;
    return nullptr;
  }

  DmControl control_;
  std::string uuid_;
  std::optional<pthread_t> thread_;
  Result<bool> result_ = false;
  std::atomic<bool> ended_ = false;
};

Deactivation::Deactivation(std::unique_ptr<Removal> removal) : removal_(std::move(removal)) {}
Deactivation::Deactivation(Deactivation&& other) noexcept = default;
Deactivation& Deactivation::operator=(Deactivation&& other) noexcept = default;
Deactivation::~Deactivation() = default;

Result<std::optional<Deactivation>> deactivate(std::string_view vg_id, std::string_view lv_id) {
  const std::string uuid = model::mapped_uuid(vg_id, lv_id);
  auto control = DmControl::open();
  if (!control) return std::unexpected(control.error());
  const auto own = DmControl::open();
  if (!own) return std::unexpected(own.error());
  auto removal = std::make_unique<Deactivation::Removal>(std::move(*control), uuid);
  removal->start();
  while (!removal->has_ended()) {
    // After an error, the result of the ioctl decides.
    if (!own->exists(uuid).value_or(true)) return Deactivation{std::move(removal)};
    std::this_thread::sleep_for(kInterval);
  }
  if (!removal->result()) return std::unexpected(removal->result().error());
  if (!*removal->result()) return std::nullopt;
  return Deactivation{std::move(removal)};
}

}  // namespace lvmd::devmapper
