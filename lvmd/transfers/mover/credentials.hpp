// The credentials as restic reads them: files without a name (memfd), below /proc/self/fd
// [P-XFER-5]. Each open of such a path begins at the file's start.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {

// As it stands in the user or password of a URL: all but letters, digits, '-', '.', '_' and '~' as
// %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

// The location with user and password in it, when it is a REST server's and there is a user.
[[nodiscard]] std::string repository_url(std::string_view location,
                                         const v1::Credentials& credentials);

// An AWS credentials file with the default profile; empty without keys.
[[nodiscard]] std::string aws_credentials_file(const v1::Credentials& credentials);

// Files that live as long as this, readable by restic when it inherits the descriptors.
class SecretFiles {
 public:
  // `location` is where restic finds the repository: for a local one its place in the sandbox.
  [[nodiscard]] static Result<SecretFiles> make(std::string_view location,
                                                const v1::Repository& repository,
                                                const v1::Credentials& credentials);

  // "/proc/self/fd/7".
  [[nodiscard]] std::string repository_file() const { return path(*repository_); }
  [[nodiscard]] std::string password_file() const { return path(*password_); }
  [[nodiscard]] std::optional<std::string> aws_file() const;
  [[nodiscard]] std::optional<std::string> certificate_file() const;
  // What a program must inherit to read them.
  [[nodiscard]] std::vector<int> descriptors() const;

 private:
  [[nodiscard]] static std::string path(const UniqueFd& fd);

  std::optional<UniqueFd> repository_;
  std::optional<UniqueFd> password_;
  std::optional<UniqueFd> aws_;
  std::optional<UniqueFd> certificates_;
};

}  // namespace lvmd::transfers::mover
