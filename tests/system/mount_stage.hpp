// What cases about mounts stand on: volumes of the VM's thin class that are mounted and unmounted.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/contract/scratch.hpp"
#include "tests/system/failpoint.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

namespace lvmd::system_tests {

// Volumes of the case, unmounted before they are removed.
class MountStage {
 public:
  MountStage() = default;
  MountStage(const MountStage&) = delete;
  MountStage& operator=(const MountStage&) = delete;
  ~MountStage() {
    // A case may have restarted lvmd, so the connection of its client may be closed.
    contract::Client again{kSocket};
    for (const std::string& name : names_) {
      v1::UnmountRequest request;
      request.set_device_class("thin");
      request.set_name(name);
      std::string message;
      const bool gone = eventually([&] {
        const auto answer = again.unmount(request);
        message = answer.message;
        return answer.ok() || answer.code == Code::kNotFound;
      });
      INFO(name << ": " << message);
      CHECK(gone);
    }
  }

  [[nodiscard]] contract::Client& client() { return scratch_.client; }

  // A blank thin volume.
  std::string volume() {
    names_.push_back(scratch_.name("thin"));
    const auto made = client().create(contract::create_request("thin", names_.back(), kSize));
    INFO(made.message);
    REQUIRE(made.ok());
    return names_.back();
  }
  std::string snapshot(const std::string& source, const std::string& access) {
    names_.push_back(scratch_.name("thin"));
    const auto made =
        client().snapshot(contract::snapshot_request("thin", names_.back(), source, access));
    INFO(made.message);
    REQUIRE(made.ok());
    return names_.back();
  }

 private:
  static constexpr std::int64_t kSize = 320 * contract::kMiB;

  contract::Scratch scratch_;
  std::vector<std::string> names_;
};

// A target below the configured root.
inline std::string at(const std::string& below) { return "/run/lvmd/mounts/" + below; }

inline std::string device_of(const std::string& name) { return "/dev/vg_thick/" + name; }

// With a `format` the volume gets that file system when it is blank.
inline v1::MountRequest request_for(const std::string& name, const std::string& format = {}) {
  v1::MountRequest request;
  request.set_device_class("thin");
  request.set_name(name);
  request.set_fs_type(format);
  request.set_format(!format.empty());
  return request;
}

inline v1::UnmountRequest unmount_of(const std::string& target) {
  v1::UnmountRequest request;
  request.set_target(target);
  return request;
}

inline v1::MountEntry mounted(contract::Client& client, const v1::MountRequest& request) {
  const auto answer = client.mount(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  return answer.response.mount();
}

// Waits until a mounter waits at the failpoint, and returns its pid. A mounter that waits for a job
// is another process.
inline int mounter_at(const std::string& failpoint) {
  int found = 0;
  REQUIRE(eventually(
      [&] {
        for (const int pid : pids_of("lvmd-mounter"))
          if (waits_at(pid, failpoint)) found = pid;
        return found != 0;
      },
      kStepLimit));
  return found;
}

// A column of findmnt(8) as PID 1 sees it; "" when nothing is mounted there.
inline std::string host_sees(const std::string& target, const std::string& column) {
  const Done done = shell("nsenter -t 1 -m findmnt -n -M " + target + " -o " + column);
  std::string output = done.exit_code == 0 ? done.output : "";
  while (!output.empty() && (output.back() == '\n' || output.back() == ' ')) output.pop_back();
  return output;
}

}  // namespace lvmd::system_tests
