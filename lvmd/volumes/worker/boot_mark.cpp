#include "lvmd/volumes/worker/boot_mark.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace lvmd::volumes::worker {

bool BootMark::is_set(std::string_view subject) const {
  std::ifstream file{file_};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return text == text_for(subject);
}

Status BootMark::set(std::string_view subject) const {
  std::ofstream file{file_, std::ios::trunc};
  file << text_for(subject);
  if (!file.flush()) return fail(Code::kInternal, "cannot write {}", file_.string());
  return {};
}

std::string BootMark::text_for(std::string_view subject) const {
  return fmt::format("{} {}\n", boot_id_, subject);
}

std::string read_boot_id() {
  std::ifstream file{"/proc/sys/kernel/random/boot_id"};
  std::string id;
  file >> id;
  return id;
}

}  // namespace lvmd::volumes::worker
