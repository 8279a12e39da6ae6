#include "lvmd/transfers/mover/credentials.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "lvmd/base/files.hpp"

namespace lvmd::transfers::mover {
namespace {

Result<UniqueFd> secret_file(std::string_view content) {
  // The name is visible only in /proc and reveals nothing.
  UniqueFd fd{::memfd_create("lvmd", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  if (!fd) return fail_errno(errno, "memfd_create");
  if (auto written = write_all(fd.get(), content, "write to a memfd"); !written)
    return std::unexpected(written.error());
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail_errno(errno, "seal a memfd");
  return fd;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::string repository_url(std::string_view location, const v1::Credentials& credentials) {
  constexpr std::string_view kScheme = "://";
  if (!location.starts_with("rest:") || credentials.rest_user().empty())
    return std::string{location};
  const std::size_t host = location.find(kScheme) + kScheme.size();
  return fmt::format("{}{}:{}@{}", location.substr(0, host),
                     percent_encoded(credentials.rest_user()),
                     percent_encoded(credentials.rest_password()), location.substr(host));
}

std::string aws_credentials_file(const v1::Credentials& credentials) {
  if (credentials.access_key_id().empty()) return {};
  // Between back quotes no character has a special meaning, not even '#'.
  std::string file =
      fmt::format("[default]\naws_access_key_id = `{}`\naws_secret_access_key = `{}`\n",
                  credentials.access_key_id(), credentials.secret_access_key());
  if (!credentials.session_token().empty())
    file += fmt::format("aws_session_token = `{}`\n", credentials.session_token());
  return file;
}

Result<SecretFiles> SecretFiles::make(std::string_view location, const v1::Repository& repository,
                                      const v1::Credentials& credentials) {
  SecretFiles files;
  const auto store = [](std::optional<UniqueFd>& into, std::string_view content) -> Status {
    if (content.empty()) return {};
    auto file = secret_file(content);
    if (!file) return std::unexpected(file.error());
    into = std::move(*file);
    return {};
  };
  if (auto done = store(files.repository_, repository_url(location, credentials)); !done)
    return std::unexpected(done.error());
  if (auto done = store(files.password_, credentials.password()); !done)
    return std::unexpected(done.error());
  if (auto done = store(files.aws_, aws_credentials_file(credentials)); !done)
    return std::unexpected(done.error());
  if (auto done = store(files.certificates_, repository.ca_certificates()); !done)
    return std::unexpected(done.error());
  if (!files.repository_ || !files.password_)
    return fail(Code::kInvalidArgument, "the repository or its password is empty");
  return files;
}

std::optional<std::string> SecretFiles::aws_file() const {
  if (!aws_) return std::nullopt;
  return path(*aws_);
}

std::optional<std::string> SecretFiles::certificate_file() const {
  if (!certificates_) return std::nullopt;
  return path(*certificates_);
}

std::vector<int> SecretFiles::descriptors() const {
  std::vector<int> all;
  for (const std::optional<UniqueFd>* file : {&repository_, &password_, &aws_, &certificates_})
    if (*file) all.push_back((*file)->get());
  return all;
}

std::string SecretFiles::path(const UniqueFd& fd) {
  return fmt::format("/proc/self/fd/{}", fd.get());
}

}  // namespace lvmd::transfers::mover
