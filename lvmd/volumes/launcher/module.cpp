#include "lvmd/volumes/launcher/module.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/state_directory.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/supervisor/sandbox.hpp"

namespace lvmd::volumes {
namespace {

using supervisor::ServiceProcess;

std::string lvm_path() {
  for (const char* const path : {"/usr/sbin/lvm", "/sbin/lvm"})
    if (std::filesystem::exists(path)) return path;
  return "/usr/sbin/lvm";
}

// The volumes with a record in `directory`. Empty when it can't be read: the worker, which must
// read it too, reports the reason.
std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry{directory, error};
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error))
    if (std::string name = entry->path().filename().string(); name != kUnfinishedIntent)
      names.push_back(std::move(name));
  return names;
}

class SupervisorModule final : public supervisor::Module {
 public:
  SupervisorModule(const supervisor::ModuleContext& context, supervisor::ProgramFile observer,
                   supervisor::ProgramFile worker)
      : observer_program_(std::move(observer)), worker_program_(std::move(worker)) {
    const std::string version{ipc::version()};
    observer_.set_version(version);
    observer_.set_lvm_path(lvm_path());
    worker_.set_version(version);
    worker_.set_runtime_directory(context.runtime_directory);
    worker_.set_state_directory(context.state_directory);
    worker_.set_lvm_path(lvm_path());
    const auto& prefix = context.config.lvm_command_prefix;
    if (context.config.is_native()) {
      log::info("LVM commands run through liblvm2cmd");
    } else {
      log::info(fmt::format("LVM commands run through: {}", fmt::join(prefix, " ")));
      for (auto* const field :
           {worker_.mutable_lvm_command_prefix(), observer_.mutable_lvm_command_prefix()})
        field->Assign(prefix.begin(), prefix.end());
    }
    reconfigure(context.config);
  }

  void reconfigure(const config::Config& config) override {
    volume_groups_ = config.volume_groups();
    *worker_.mutable_catalog() = ipc::to_proto(config.catalog);
  }

  std::vector<ServiceProcess> processes() const override {
    std::vector<ServiceProcess> processes;
    for (const std::string& volume_group : volume_groups_) {
      processes.push_back(observer(volume_group));
      processes.push_back(worker(volume_group));
    }
    return processes;
  }

  void add_setup(internal::ServerSetup& setup) const override {
    for (const std::string& volume_group : volume_groups_) {
      internal::HiddenVolumesOfGroup& hidden = *setup.add_hidden();
      hidden.set_volume_group(volume_group);
      for (const std::string& name :
           names_in(intents_of_new_volumes(worker_.state_directory(), volume_group)))
        hidden.add_names(name);
    }
  }

 private:
  [[nodiscard]] ServiceProcess observer(const std::string& volume_group) const {
    ServiceProcess process{
        .name = fmt::format("lvmd-observer {}", volume_group),
        .program = &observer_program_,
        .arguments = {volume_group},
        .confine = [] { return supervisor::confine(supervisor::kObserverRights); },
        .setup =
            [this, volume_group] {
              internal::ControlFrame frame;
              *frame.mutable_observer() = observer_;
              frame.mutable_observer()->set_volume_group(volume_group);
              return frame;
            }};
    process.attached.mutable_observer_attached()->set_volume_group(volume_group);
    return process;
  }

  [[nodiscard]] ServiceProcess worker(const std::string& volume_group) const {
    ServiceProcess process{.name = fmt::format("lvmd-worker {}", volume_group),
                           .program = &worker_program_,
                           .arguments = {volume_group},
                           .confine = [] { return supervisor::confine(supervisor::kWorkerRights); },
                           .setup =
                               [this, volume_group] {
                                 internal::ControlFrame frame;
                                 *frame.mutable_worker() = worker_;
                                 frame.mutable_worker()->set_volume_group(volume_group);
                                 return frame;
                               },
                           .is_configured = true,
                           .finishes = volume_group};
    process.attached.mutable_worker_attached()->set_volume_group(volume_group);
    return process;
  }

  supervisor::ProgramFile observer_program_;
  supervisor::ProgramFile worker_program_;
  std::vector<std::string> volume_groups_;
  // Without the volume group, which is set for each process.
  internal::ObserverSetup observer_;
  internal::WorkerSetup worker_;
};

}  // namespace

Result<std::unique_ptr<supervisor::Module>> make_supervisor_module(
    const supervisor::ModuleContext& context, supervisor::Host& /*host*/) {
  auto observer = supervisor::ProgramFile::open(context.program_directory + "/lvmd-observer");
  if (!observer) return std::unexpected(observer.error());
  auto worker = supervisor::ProgramFile::open(context.program_directory + "/lvmd-worker");
  if (!worker) return std::unexpected(worker.error());
  return std::make_unique<SupervisorModule>(context, std::move(*observer), std::move(*worker));
}

}  // namespace lvmd::volumes
