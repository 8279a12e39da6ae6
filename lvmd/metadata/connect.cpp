#include "lvmd/metadata/connect.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace lvmd::metadata {
namespace {

// True if a volume with this mark is a part of exactly one other volume. An external origin and a
// merging origin can be used by several.
bool is_part(LvMark mark) {
  return mark != LvMark::kExternalOrigin && mark != LvMark::kMergingOrigin;
}

// True if a volume of `kind` can have the mark.
bool fits(LvMark mark, LvKind kind) {
  if (mark == LvMark::kUsedCachePool) return kind == LvKind::kCachePool;
  if (mark == LvMark::kMergingOrigin) return kind == LvKind::kThin;
  return kind != LvKind::kThinPool && kind != LvKind::kCachePool && kind != LvKind::kSnapshotPair;
}

class Connector {
 public:
  Connector(std::vector<ParsedLv>& parsed, const VolumeGroupMetadata& group)
      : parsed_(parsed), group_(group) {
    by_name_.reserve(parsed_.size());
    for (ParsedLv& each : parsed_)
      if (!by_name_.emplace(each.lv.name, &each.lv).second && twice_.empty()) twice_ = each.lv.name;
  }

  Status connect() {
    if (!twice_.empty())
      return fail(Code::kUnimplemented, "{}/logical_volumes/{} exists twice", group_.name, twice_);
    for (ParsedLv& each : parsed_) {
      const Status followed = each.lv.kind == LvKind::kSnapshotPair
                                  ? join_pair(each.segments.front(), each.lv)
                                  : follow(each);
      if (!followed) return followed;
    }
    for (ParsedLv& each : parsed_) settle_visibility(each.lv);
    // LVM checks the snapshots of an origin last.
    for (const auto& [origin, cow] : pairs_) origin->needs.push_back(cow->name);
    return {};
  }

 private:
  [[nodiscard]] LvMetadata* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found != by_name_.end() ? found->second : nullptr;
  }

  [[nodiscard]] std::unexpected<Error> dangling(const LvMetadata& lv,
                                                const std::string& name) const {
    return fail(Code::kUnimplemented, "{}/{} names {}, which does not exist or has the wrong type",
                group_.name, lv.name, name);
  }

  Status follow(ParsedLv& each) const {
    LvMetadata& lv = each.lv;
    for (const Segment& segment : each.segments)
      for (const Reference& reference : segment.references)
        if (auto applied = apply(reference, lv); !applied) return applied;
    if (lv.kind == LvKind::kThin && find(lv.pool)->kind != LvKind::kThinPool)
      return dangling(lv, lv.pool);
    return {};
  }

  Status apply(const Reference& reference, LvMetadata& lv) const {
    LvMetadata* const other = find(reference.name);
    if (other == nullptr || other == &lv) return dangling(lv, reference.name);
    if (reference.needed && std::ranges::find(lv.needs, other->name) == lv.needs.end())
      lv.needs.push_back(other->name);
    if (!reference.makes) return {};
    const LvMark makes = *reference.makes;
    if (!fits(makes, other->kind)) return dangling(lv, reference.name);
    if (is_part(makes)) {
      if (!other->part_of.empty() && (other->part_of != lv.name || !other->is(makes)))
        return dangling(lv, reference.name);
      other->part_of = lv.name;
    }
    other->marks.add(makes);
    return {};
  }

  Status join_pair(const Segment& segment, const LvMetadata& pair) {
    LvMetadata* const cow = find(segment.cow);
    if (cow == nullptr || !fits(LvMark::kCowStore, cow->kind) || cow->is(LvMark::kCowStore))
      return dangling(pair, segment.cow);
    LvMetadata* const origin = find(segment.origin);
    if (origin == nullptr || origin == cow || !fits(LvMark::kSnapshotOrigin, origin->kind))
      return dangling(pair, segment.origin);
    cow->marks.add(LvMark::kCowStore);
    cow->origin = origin->name;
    cow->origin_size = {segment.extents};
    cow->needs.insert(cow->needs.begin(), origin->name);
    origin->marks.add(LvMark::kSnapshotOrigin);
    if (segment.merging) {
      cow->marks.add(LvMark::kMergingSnapshot);
      origin->marks.add(LvMark::kMergingOrigin);
    }
    pairs_.emplace_back(origin, cow);
    return {};
  }

  // LVM derives the visibility of these volumes and ignores the flag in the text.
  void settle_visibility(LvMetadata& lv) const {
    if (lv.is(LvMark::kCowStore)) {
      const LvMetadata* const origin = find(lv.origin);
      // A hidden origin has no space of its own and exists only for its single snapshot.
      lv.visible = !origin->visible || !lv.is(LvMark::kMergingSnapshot);
    } else if (lv.kind == LvKind::kThin && lv.is(LvMark::kMergingSnapshot)) {
      lv.visible = false;
    }
  }

  std::vector<ParsedLv>& parsed_;
  const VolumeGroupMetadata& group_;
  std::unordered_map<std::string_view, LvMetadata*> by_name_;
  std::string twice_;
  // Pairs of origin and COW snapshot.
  std::vector<std::pair<LvMetadata*, LvMetadata*>> pairs_;
};

}  // namespace

Status connect(std::vector<ParsedLv> parsed, VolumeGroupMetadata& group) {
  if (auto connected = Connector{parsed, group}.connect(); !connected) return connected;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parsed.size(); ++i)
    if (parsed[i].lv.kind != LvKind::kSnapshotPair) order.push_back(i);
  std::vector<std::size_t> sorted = order;
  std::ranges::sort(sorted, {},
                    [&](std::size_t i) -> const std::string& { return parsed[i].lv.name; });
  std::vector<std::size_t> place(parsed.size());
  for (const std::size_t i : sorted) {
    place[i] = group.logical_volumes.size();
    group.logical_volumes.push_back(std::move(parsed[i].lv));
  }
  for (const std::size_t i : order) group.text_order.push_back(place[i]);
  return {};
}

}  // namespace lvmd::metadata
