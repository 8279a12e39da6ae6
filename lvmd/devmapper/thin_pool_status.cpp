#include "lvmd/devmapper/thin_pool_status.hpp"

#include <libdevmapper.h>

#include <new>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::devmapper {
namespace {

double percent(std::uint64_t used, std::uint64_t total) {
  return total == 0 ? 0 : 100.0 * static_cast<double>(used) / static_cast<double>(total);
}

}  // namespace

Result<model::ThinPoolState> parse_thin_pool_status(const std::string& line) {
  const UniqueC<dm_pool, &dm_pool_destroy> memory{dm_pool_create("thin pool status", 1024)};
  if (!memory) throw std::bad_alloc{};
  dm_status_thin_pool* status = nullptr;
  if (dm_get_status_thin_pool(memory.get(), line.c_str(), &status) == 0)
    return fail(Code::kInternal, "\"{}\" is not the status of a thin pool", line);
  model::ThinPoolState state;
  state.failed = status->fail != 0 || status->error != 0;
  state.error = status->error != 0;
  state.transaction_id = status->transaction_id;
  state.out_of_data_space = status->out_of_data_space != 0;
  state.read_only = status->read_only != 0;
  state.needs_check = status->needs_check != 0;
  if (!state.failed)
    state.usage = model::PoolUsage{
        .data_percent = percent(status->used_data_blocks, status->total_data_blocks),
        .metadata_percent = percent(status->used_metadata_blocks, status->total_metadata_blocks)};
  return state;
}

}  // namespace lvmd::devmapper
