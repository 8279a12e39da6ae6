#include "lvmd/metadata/lv_attr.hpp"

namespace lvmd::metadata {
namespace {

char volume_type(LvKind kind) {
  switch (kind) {
    case LvKind::kPlain:
      return '-';
    case LvKind::kThinPool:
      return 't';
    case LvKind::kThin:
      return 'V';
    case LvKind::kPoolData:
      return 'T';
    case LvKind::kPoolMetadata:
      return 'e';
  }
  return '-';
}

char permissions(const LvFacts& facts) {
  if (!facts.writable) return facts.readable ? 'r' : '-';
  // Activated read-only although the metadata allows writing.
  return facts.device && facts.device->read_only ? 'R' : 'w';
}

char state(const LvFacts& facts) {
  if (!facts.device) return '-';
  if (facts.kind == LvKind::kThinPool && facts.pool && facts.pool->needs_check)
    return facts.device->suspended ? 'C' : 'c';
  if (facts.device->suspended) return 's';
  if (facts.device->live_table) return 'a';
  return facts.device->inactive_table ? 'i' : 'd';
}

char pool_health(const model::ThinPoolState& pool) {
  if (pool.failed) return 'F';
  if (pool.out_of_data_space) return 'D';
  return pool.read_only ? 'M' : '-';
}

char health(const LvFacts& facts) {
  if (facts.partial) return 'p';
  if (!facts.pool) return '-';
  if (facts.kind == LvKind::kThinPool) return pool_health(*facts.pool);
  // The kernel fails every thin volume of a failed pool, and no other.
  return facts.kind == LvKind::kThin && facts.device && facts.pool->failed ? 'F' : '-';
}

}  // namespace

std::string lv_attr(const LvFacts& facts) {
  const bool is_thin = facts.kind == LvKind::kThin || facts.kind == LvKind::kThinPool;
  return {
      volume_type(facts.kind),
      permissions(facts),
      facts.allocation,
      facts.fixed_minor ? 'm' : '-',
      state(facts),
      facts.device && facts.device->open_count > 0 ? 'o' : '-',
      is_thin ? 't' : '-',
      is_thin && facts.zeroes_blocks ? 'z' : '-',
      health(facts),
      facts.activation_skip ? 'k' : '-',
  };
}

}  // namespace lvmd::metadata
