#include "lvmd/lvm/device_search.hpp"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace lvmd::lvm {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDevices = "/dev";

// The names that LVM finds in each folder below /dev. Empty: no limit.
using Folders = std::map<std::string, std::set<std::string>, std::less<>>;

// scandir() below has no other access to it. The LVM library has one thread.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
Folders folders;

bool is_below_devices(std::string_view path) {
  return path.starts_with(kDevices) &&
         (path.size() == kDevices.size() || path[kDevices.size()] == '/');
}

// Null: libc reads the folder.
const std::set<std::string>* names_in(std::string_view folder) {
  static const std::set<std::string> kNone;
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (folders.empty() || !is_below_devices(folder)) return nullptr;
  const auto found = folders.find(folder);
  return found == folders.end() ? &kNone : &found->second;
}

// As calloc(3), but ends the process without memory. With a part of the list, LVM would regard a PV
// as missing.
void* allocate(std::size_t count, std::size_t size) {
  void* const memory = std::calloc(count, size);
  if (memory == nullptr) std::abort();
  return memory;
}

// As scandir(3): the caller frees the list and its entries.
int make_list(const std::set<std::string>& names, dirent64*** list) {
  *list = static_cast<dirent64**>(allocate(names.size() + 1, sizeof(void*)));
  int count = 0;
  for (const std::string& name : names) {
    // No folder of the kernel has a longer name.
    if (name.size() > NAME_MAX) continue;
    auto* const entry = static_cast<dirent64*>(allocate(1, sizeof(dirent64)));
    std::ranges::copy(name, entry->d_name);
    entry->d_type = DT_UNKNOWN;
    (*list)[count++] = entry;
  }
  return count;
}

}  // namespace

OnlyDevicesFound::OnlyDevicesFound(std::span<const std::string> devices) {
  for (const std::string& device : devices)
    for (fs::path path = device; is_below_devices(path.parent_path().native());
         path = path.parent_path())
      folders[path.parent_path()].insert(path.filename());
}

OnlyDevicesFound::~OnlyDevicesFound() { folders.clear(); }

}  // namespace lvmd::lvm

// The dynamic linker finds this definition before libc's, also for the program's libraries.
extern "C" __attribute__((visibility("default"))) int scan_folder(
    const char* folder, dirent64*** list, int (*filter)(const dirent64*),
    int (*compare)(const dirent64**, const dirent64**)) __asm__("scandir64");

int scan_folder(const char* folder, dirent64*** list, int (*filter)(const dirent64*),
                int (*compare)(const dirent64**, const dirent64**)) {
  using ScanFolder = decltype(&scan_folder);
  static const auto kNext = reinterpret_cast<ScanFolder>(::dlsym(RTLD_NEXT, "scandir64"));
  if (const auto* const names = lvmd::lvm::names_in(folder); names != nullptr && filter == nullptr)
    return lvmd::lvm::make_list(*names, list);
  return kNext(folder, list, filter, compare);
}
