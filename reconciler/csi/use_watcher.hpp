// Follows lvmd's stream of the volumes that CSI uses [R-CSI-2].
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

#include "reconciler/csi/use_table.hpp"
#include "reconciler/lvmd_client/volume_use_service.hpp"

namespace lvmd::reconciler {

class UseWatcher {
 public:
  using Changed = std::function<void(const UseTable::Changes&)>;

  // Puts each state into the table, and then calls `changed` on the watcher's thread. Both
  // references must outlive the watcher.
  UseWatcher(VolumeUseService& service, UseTable& table, Changed changed);
  UseWatcher(const UseWatcher&) = delete;
  UseWatcher& operator=(const UseWatcher&) = delete;
  ~UseWatcher() { stop(); }

  // Stop the service first, so that no call delays this. Idempotent.
  void stop();

 private:
  void watch(const std::stop_token& stop);

  VolumeUseService& service_;
  UseTable& table_;
  const Changed changed_;
  std::jthread thread_;
};

}  // namespace lvmd::reconciler
