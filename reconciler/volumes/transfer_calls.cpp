#include "reconciler/volumes/transfer_calls.hpp"

#include <utility>

#include "reconciler/volumes/snapshot_status.hpp"

namespace lvmd::reconciler {

Status TransferCalls::find_class(const LogicalVolume& volume,
                                 const std::optional<LogicalVolume>& source, bool of_source) {
  // plan() asks for the source's class only when there is a source.
  const LogicalVolume& snapshot = of_source && source ? *source : volume;
  auto found = services_.catalog->find_class(snapshot);
  if (!found) return std::unexpected(std::move(found.error()));
  auto& answer = of_source ? observed_.source_class : observed_.own_class;
  answer = LookedUp<SnapshotClass>{std::move(*found)};
  return {};
}

Status TransferCalls::find_persistent_volume(const std::string& name) {
  auto found = services_.catalog->find_persistent_volume(name);
  if (!found) return std::unexpected(std::move(found.error()));
  observed_.persistent_volume = LookedUp<PersistentVolume>{std::move(*found)};
  return {};
}

Status TransferCalls::find_location(const LogicalVolume& volume, const LocationName& name) {
  auto settings = services_.catalog->open_location(volume, name);
  if (!settings) return std::unexpected(std::move(settings.error()));
  observed_.location_base = std::move(settings->location);
  return {};
}

// [R-ONLINE-9]: the credentials are read here, and go with the request.
Status TransferCalls::start(const LogicalVolume& volume, const VolumeName& name,
                            Operation operation) {
  const SnapshotStatus& snapshot = *volume.status.snapshot;
  auto settings = services_.catalog->open_location(volume, snapshot.storage);
  if (!settings) return std::unexpected(std::move(settings.error()));
  auto told = ask(volume, name, operation,
                  {.location = snapshot.repository, .settings = std::move(*settings)});
  // The same one in other words, of a storage that was changed meanwhile: it is ours all the same.
  if (!told && told.error().code == Code::kAlreadyExists)
    told = services_.transfers->get({operation, volume.uid});
  if (!told) {
    auto refused = refused_transfer(operation, told.error());
    if (!refused) return std::unexpected(std::move(told.error()));
    told = std::move(*refused);
  }
  return take(std::move(told));
}

Result<Transfer> TransferCalls::ask(const LogicalVolume& volume, const VolumeName& name,
                                    Operation operation, const RepositoryAccess& access) {
  const SnapshotStatus& snapshot = *volume.status.snapshot;
  const bool has_backup = !snapshot.backup_id.empty();
  switch (operation) {
    case Operation::kBackup:
      return services_.transfers->start_backup(
          {.id = volume.uid, .volume = name, .repository = access});
    case Operation::kRestore:
      return services_.transfers->start_restore(
          {.id = volume.uid,
           .volume = name,
           .repository = access,
           .snapshot_id = has_backup ? std::string{} : snapshot.snapshot_id,
           .backup_id = snapshot.backup_id});
    case Operation::kDelete:
      return services_.transfers->delete_backup(
          {.id = volume.uid, .repository = access, .backup_id = snapshot.backup_id});
  }
  return fail(Code::kInternal, "no such operation");
}

Status TransferCalls::follow(const TransferName& name) {
  auto told = services_.transfers->get(name);
  if (told || told.error().code != Code::kNotFound) return take(std::move(told));
  observed_.transfer_unknown = true;
  return {};
}

Status TransferCalls::cancel(const TransferName& name) {
  auto told = services_.transfers->cancel(name);
  if (told || told.error().code != Code::kNotFound) return take(std::move(told));
  observed_.transfer_unknown = true;
  return {};
}

Status TransferCalls::take(Result<Transfer> told) {
  if (!told) return std::unexpected(std::move(told.error()));
  observed_.transfer = std::move(*told);
  observed_.transfer_unknown = false;
  return {};
}

}  // namespace lvmd::reconciler
