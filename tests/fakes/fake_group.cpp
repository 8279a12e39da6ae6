#include "tests/fakes/fake_group.hpp"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::fakes {
namespace {

using model::Bytes;
using model::LogicalVolume;
using model::LvRole;

constexpr Bytes kExtentSize{std::uint64_t{4} << 20U};
constexpr std::uint32_t kDeviceMapperMajor = 253;

bool belongs_to(const LogicalVolume& lv, const model::DeviceClass& device_class) {
  if (device_class.thin_pool)
    return lv.role == LvRole::kThin && lv.pool == device_class.thin_pool->name;
  return lv.role == LvRole::kPlain || lv.role == LvRole::kCowSnapshot;
}

std::string attributes(const LogicalVolume& lv) {
  const char permission = lv.writable ? 'w' : 'r';
  if (lv.role == LvRole::kThinPool) return "twi-aotz--";
  if (lv.role == LvRole::kThin) return fmt::format("V{}i-a-tz--", permission);
  return fmt::format("-{}i-a-----", permission);
}

// The request's fields, in the order in which differences are reported.
struct Spec {
  model::Ownership ownership;
  std::set<std::string> tags;
  // A snapshot request of size 0 matches any size.
  bool any_size = false;
};

std::unexpected<Error> differs(const LogicalVolume& lv, std::string_view field,
                               std::string_view want, std::string_view found) {
  return fail(Code::kAlreadyExists, "volume {} exists already with another {}: {} instead of {}",
              lv.path, field, found, want);
}

Status compare_tagged(const LogicalVolume& lv, const model::Ownership& found, const Spec& spec) {
  const model::Ownership& want = spec.ownership;
  if (found.device_class != want.device_class)
    return differs(lv, "device_class", want.device_class, found.device_class);
  const std::vector<std::string> tags = model::caller_tags(lv.tags);
  if (std::set<std::string>{tags.begin(), tags.end()} != spec.tags)
    return differs(lv, "tags", fmt::format("{}", fmt::join(spec.tags, ",")),
                   fmt::format("{}", fmt::join(tags, ",")));
  if (found.source != want.source) return differs(lv, "source_volume", want.source, found.source);
  if (found.access_type != want.access_type)
    return differs(lv, "access_type", want.access_type, found.access_type);
  if (found.option_class != want.option_class)
    return differs(lv, "lvcreate_option_class", want.option_class, found.option_class);
  if (!spec.any_size && found.size != want.size && lv.size != want.size)
    return differs(lv, "size_bytes", fmt::format("{}", want.size.value),
                   fmt::format("{}", found.size.value));
  return {};
}

Status compare_untagged(const LogicalVolume& lv, const model::DeviceClass& device_class,
                        const Spec& spec) {
  if (!belongs_to(lv, device_class)) return differs(lv, "device_class", device_class.name, "none");
  if (lv.origin != spec.ownership.source)
    return differs(lv, "source_volume", spec.ownership.source, lv.origin);
  if (lv.writable == (spec.ownership.access_type == "ro"))
    return differs(lv, "access_type", spec.ownership.access_type, lv.attr);
  if (!spec.any_size && lv.size != spec.ownership.size)
    return differs(lv, "size_bytes", fmt::format("{}", spec.ownership.size.value),
                   fmt::format("{}", lv.size.value));
  return {};
}

template <typename Request>
std::vector<std::string> tags_of(const Request& request, const Spec& spec) {
  std::vector<std::string> tags{request.tags().begin(), request.tags().end()};
  std::ranges::move(model::to_tags(spec.ownership), std::back_inserter(tags));
  tags.insert(tags.end(), request.marks().begin(), request.marks().end());
  return tags;
}

Status compare(const LogicalVolume& lv, const model::DeviceClass& device_class, const Spec& spec) {
  if (lv.role == LvRole::kThinPool || lv.role == LvRole::kInternal)
    return fail(Code::kAlreadyExists, "the name {} is taken by a thin pool", lv.path);
  if (const auto found = model::ownership_of(lv.tags)) return compare_tagged(lv, *found, spec);
  return compare_untagged(lv, device_class, spec);
}

}  // namespace

FakeGroup::FakeGroup(std::string name, const std::vector<std::uint64_t>& pv_extents,
                     model::ClassCatalog catalog)
    : catalog_(std::move(catalog)) {
  group_.id = fmt::format("{:x<32}", name);
  group_.name = std::move(name);
  group_.seqno = 1;
  group_.extent_size = kExtentSize;
  for (const std::uint64_t extents : pv_extents) {
    const std::size_t index = group_.physical_volumes.size();
    group_.physical_volumes.push_back({
        .id = fmt::format("{}{:0>{}}", group_.name, index, 32 - group_.name.size()),
        .device = fmt::format("/dev/fake-{}-{}", group_.name, index),
        .size = {extents},
        .free = {extents},
    });
  }
}

Result<std::optional<LogicalVolume>> FakeGroup::apply(const internal::WorkerRequest& request) {
  switch (request.call_case()) {
    case internal::WorkerRequest::kCreate:
      return create(request.create());
    case internal::WorkerRequest::kSnapshot:
      return snapshot(request.snapshot());
    case internal::WorkerRequest::kResize:
      return resize(request.resize());
    case internal::WorkerRequest::kRemove:
      return remove_volume(request.remove());
    case internal::WorkerRequest::kTags:
      return change_tags(request.tags());
    case internal::WorkerRequest::kHiddenAcknowledged:
    case internal::WorkerRequest::kRecover:
    case internal::WorkerRequest::CALL_NOT_SET:
      break;
  }
  return fail(Code::kInternal, "request {} has no call", request.id());
}

Result<const model::DeviceClass*> FakeGroup::usable_class(const std::string& name) const {
  const model::DeviceClass* const found = catalog_.find_device_class(name);
  if (found == nullptr || name.empty()) return fail(Code::kInternal, "no class {}", name);
  if (!found->thin_pool) return found;
  if (auto pool = model::find_usable_pool(group_, *found->thin_pool); !pool)
    return std::unexpected(pool.error());
  return found;
}

Bytes FakeGroup::rounded(std::uint64_t size, std::uint32_t stripes) const {
  return to_bytes(round_up_to_extents({size}, kExtentSize, std::max(stripes, 1U)), kExtentSize);
}

Status FakeGroup::check_space(const model::DeviceClass& device_class, Bytes needed) const {
  const auto free = model::available(group_, device_class);
  if (!free) return std::unexpected(free.error());
  if (needed <= *free) return {};
  return fail(Code::kResourceExhausted, "no enough space left on VG: free={}, requested={}",
              free->value, needed.value);
}

LogicalVolume* FakeGroup::find(const std::string& name) {
  const auto found = std::ranges::find(group_.logical_volumes, name, &LogicalVolume::name);
  return found == group_.logical_volumes.end() ? nullptr : &*found;
}

LogicalVolume& FakeGroup::insert(LogicalVolume lv) {
  lv.path = fmt::format("/dev/{}/{}", group_.name, lv.name);
  lv.device = model::DeviceState{.major = kDeviceMapperMajor, .minor = ++last_minor_};
  lv.device->read_only = !lv.writable;
  lv.id = fmt::format("{:0>32}", last_minor_);
  lv.attr = attributes(lv);
  ++group_.seqno;
  const auto place =
      std::ranges::lower_bound(group_.logical_volumes, lv.name, {}, &LogicalVolume::name);
  return *group_.logical_volumes.insert(place, std::move(lv));
}

void FakeGroup::allocate(const std::string& lv, std::uint64_t extents, std::uint32_t stripes) {
  const std::size_t width = std::max(stripes, 1U);
  std::vector<std::size_t> order(group_.physical_volumes.size());
  std::ranges::copy(std::views::iota(std::size_t{0}, order.size()), order.begin());
  while (extents > 0) {
    std::ranges::sort(order, std::greater{}, [this](std::size_t index) {
      return group_.physical_volumes[index].free.value;
    });
    const std::uint64_t free = group_.physical_volumes[order[width - 1]].free.value;
    const std::uint64_t rows = std::min(extents / width, free);
    if (rows == 0) return;
    for (std::size_t i = 0; i < width; ++i) {
      group_.physical_volumes[order[i]].free.value -= rows;
      extents_[lv].emplace_back(order[i], rows);
    }
    extents -= rows * width;
  }
}

Result<std::optional<LogicalVolume>> FakeGroup::create(const internal::CreateVolume& request) {
  const auto device_class = usable_class(request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  const model::DeviceClass& target = **device_class;
  // An option class replaces the class's stripes; the option classes of the tests have none.
  const bool striped = !target.is_thin() && request.option_class().empty() && target.stripes > 1;
  const std::uint32_t stripes = striped ? target.stripes : 1;
  const Bytes size = rounded(request.size_bytes(), stripes);
  const Spec spec{.ownership = {.device_class = target.name,
                                .size = size,
                                .option_class = request.option_class(),
                                .source = {},
                                .access_type = {}},
                  .tags = {request.tags().begin(), request.tags().end()}};
  if (const LogicalVolume* const present = find(request.name())) {
    if (const auto same = compare(*present, target, spec); !same)
      return std::unexpected(same.error());
    return *present;
  }
  if (const auto fits = check_space(target, size); !fits) return std::unexpected(fits.error());

  LogicalVolume lv;
  lv.name = request.name();
  lv.size = size;
  lv.stripes = stripes;
  lv.tags = tags_of(request, spec);
  if (target.thin_pool) {
    lv.role = LvRole::kThin;
    lv.segment_type = "thin";
    lv.pool = target.thin_pool->name;
  } else {
    lv.segment_type = striped ? "striped" : "linear";
    allocate(lv.name, size.value / kExtentSize.value, stripes);
  }
  return insert(std::move(lv));
}

Result<std::optional<LogicalVolume>> FakeGroup::snapshot(const internal::CreateSnapshot& request) {
  const auto device_class = usable_class(request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  const model::DeviceClass& target = **device_class;
  const LogicalVolume* const source = find(request.source());
  Spec spec{.ownership = {.device_class = target.name,
                          .size = rounded(request.size_bytes(), 1),
                          .option_class = {},
                          .source = request.source(),
                          .access_type = request.access_type()},
            .tags = {request.tags().begin(), request.tags().end()},
            .any_size = request.size_bytes() == 0};
  if (const LogicalVolume* const present = find(request.name())) {
    if (const auto same = compare(*present, target, spec); !same)
      return std::unexpected(same.error());
    return *present;
  }
  if (source == nullptr || !source->is_visible())
    return fail(Code::kNotFound, "source logical volume {} is not found", request.source())
        .because(reason::kSourceNotFound);
  if (source->role != LvRole::kThin)
    return fail(Code::kUnimplemented, "snapshot can be created for only thin volumes: {}",
                request.source());
  if (source->pool != target.thin_pool->name)
    return fail(Code::kFailedPrecondition, "source {} is in pool {}, class {} has pool {}",
                request.source(), source->pool, target.name, target.thin_pool->name);
  if (spec.any_size) spec.ownership.size = source->size;
  if (spec.ownership.size < source->size)
    return fail(Code::kOutOfRange, "size_bytes {} is less than the {} of source {}",
                request.size_bytes(), source->size.value, request.source());
  if (const auto fits = check_space(target, spec.ownership.size); !fits)
    return std::unexpected(fits.error());

  LogicalVolume lv;
  lv.name = request.name();
  lv.size = spec.ownership.size;
  lv.role = LvRole::kThin;
  lv.segment_type = "thin";
  lv.pool = source->pool;
  lv.origin = source->name;
  lv.writable = request.access_type() == "rw";
  lv.tags = tags_of(request, spec);
  return insert(std::move(lv));
}

Result<std::optional<LogicalVolume>> FakeGroup::resize(const internal::ResizeVolume& request) {
  const auto device_class = usable_class(request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  LogicalVolume* const lv = find(request.name());
  if (lv == nullptr || !belongs_to(*lv, **device_class))
    return fail(Code::kNotFound, "logical volume {} is not found", request.name());
  if (request.size_bytes() <= lv->size.value) return *lv;
  const Bytes size = rounded(request.size_bytes(), lv->stripes);
  const Bytes more = model::minus_floor_zero(size, lv->size);
  if (const auto fits = check_space(**device_class, more); !fits)
    return std::unexpected(fits.error());
  if (!(*device_class)->is_thin()) allocate(lv->name, more.value / kExtentSize.value, lv->stripes);
  lv->size = size;
  ++group_.seqno;
  return *lv;
}

Result<std::optional<LogicalVolume>> FakeGroup::remove_volume(
    const internal::RemoveVolume& request) {
  const auto device_class = usable_class(request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  const LogicalVolume* const lv = find(request.name());
  if (lv == nullptr) return fail(Code::kNotFound, "logical volume {} is not found", request.name());
  if (!belongs_to(*lv, **device_class))
    return fail(Code::kFailedPrecondition, "{} is a {}, not a volume of device class {}", lv->path,
                lv->segment_type, (*device_class)->name);
  if (lv->device->open_count > 0) return fail(Code::kFailedPrecondition, "{} is in use", lv->path);
  remove(request.name());
  return std::nullopt;
}

Result<std::optional<LogicalVolume>> FakeGroup::change_tags(const internal::ChangeTags& request) {
  const auto device_class = usable_class(request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  LogicalVolume* const lv = find(request.name());
  if (lv == nullptr)
    return fail(Code::kNotFound, "logical volume {} is not found", request.name())
        .because(reason::kVolumeNotFound);
  if (!belongs_to(*lv, **device_class))
    return fail(Code::kFailedPrecondition, "{} is not a volume of device class {}", lv->path,
                (*device_class)->name)
        .because(reason::kNotOfClass);
  std::vector<std::string> tags = lv->tags;
  for (const std::string& tag : request.remove()) std::erase(tags, tag);
  std::erase_if(tags, [&request](const std::string& tag) {
    return std::ranges::find(request.replace(), model::private_key(tag)) !=
               request.replace().end() &&
           std::ranges::find(request.add(), tag) == request.add().end();
  });
  for (const std::string& tag : request.add()) {
    if (std::ranges::find(tags, tag) != tags.end()) continue;
    for (const std::string& other : tags)
      if (model::private_key(other) == model::private_key(tag))
        return fail(Code::kFailedPrecondition, "{} has {}, not {}", lv->path, other, tag)
            .because(reason::kMarkDiffers)
            .with(key::kExisting, other.substr(other.find('=') + 1));
    if (request.if_blank() && written_.contains(lv->name))
      return fail(Code::kFailedPrecondition, "{} is not blank", lv->path)
          .because(reason::kVolumeNotBlank);
    tags.push_back(tag);
  }
  if (tags != lv->tags) ++group_.seqno;
  lv->tags = std::move(tags);
  return *lv;
}

void FakeGroup::set_blank(const std::string& name, bool blank) {
  if (blank)
    written_.erase(name);
  else
    written_.insert(name);
}

void FakeGroup::make_pool(const std::string& name, std::uint64_t extents) {
  LogicalVolume lv;
  lv.name = name;
  lv.role = LvRole::kThinPool;
  lv.segment_type = "thin-pool";
  lv.size = to_bytes({extents}, kExtentSize);
  lv.usage = model::PoolUsage{.data_percent = 0, .metadata_percent = 10};
  allocate(name, extents, 1);
  insert(std::move(lv));
}

void FakeGroup::make_linear(const std::string& name, std::uint64_t extents) {
  LogicalVolume lv;
  lv.name = name;
  lv.segment_type = "linear";
  lv.size = to_bytes({extents}, kExtentSize);
  allocate(name, extents, 1);
  insert(std::move(lv));
}

void FakeGroup::make_thin(const std::string& name, const std::string& pool, std::uint64_t extents) {
  LogicalVolume lv;
  lv.name = name;
  lv.role = LvRole::kThin;
  lv.segment_type = "thin";
  lv.pool = pool;
  lv.size = to_bytes({extents}, kExtentSize);
  insert(std::move(lv));
}

void FakeGroup::remove(const std::string& name) {
  for (const auto& [pv, extents] : extents_[name])
    group_.physical_volumes[pv].free.value += extents;
  extents_.erase(name);
  written_.erase(name);
  std::erase_if(group_.logical_volumes,
                [&name](const LogicalVolume& lv) { return lv.name == name; });
  ++group_.seqno;
}

void FakeGroup::set_open(const std::string& name, bool open) {
  if (LogicalVolume* const lv = find(name)) lv->device->open_count = open ? 1 : 0;
}

void FakeGroup::deactivate(const std::string& name) {
  if (LogicalVolume* const lv = find(name)) lv->device.reset();
}

void FakeGroup::set_usage(const std::string& pool, model::PoolUsage usage) {
  if (LogicalVolume* const lv = find(pool)) lv->usage = usage;
}

}  // namespace lvmd::fakes
