// Provides the credentials to restic as anonymous files (memfd) below /proc/self/fd [P-XFER-5].
// Each open of such a path starts reading at offset 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {

// Percent-encodes text for the user or password of a URL: everything but letters, digits, '-', '.',
// '_' and '~' becomes %XX.
[[nodiscard]] std::string percent_encoded(std::string_view text);

// Returns the location, with user and password inserted when it is a REST server and the
// credentials contain a user.
[[nodiscard]] std::string repository_url(std::string_view location,
                                         const v1::Credentials& credentials);

// Returns the content of an AWS credentials file with a default profile. Empty when the credentials
// contain no keys.
[[nodiscard]] std::string aws_credentials_file(const v1::Credentials& credentials);

// Files that exist as long as this object. restic can read them when it inherits descriptors().
class SecretFiles {
 public:
  // `location` is where restic finds the repository: for a local one, its path in the sandbox.
  // InvalidArgument when the repository or its password is empty.
  [[nodiscard]] static Result<SecretFiles> make(std::string_view location,
                                                const v1::Repository& repository,
                                                const v1::Credentials& credentials);

  // Paths such as "/proc/self/fd/7". Empty optionals where the file is not needed.
  [[nodiscard]] std::string repository_file() const { return path(*repository_); }
  [[nodiscard]] std::string password_file() const { return path(*password_); }
  [[nodiscard]] std::optional<std::string> aws_file() const;
  [[nodiscard]] std::optional<std::string> certificate_file() const;
  // The descriptors that a program must inherit to read the files.
  [[nodiscard]] std::vector<int> descriptors() const;

 private:
  [[nodiscard]] static std::string path(const UniqueFd& fd);

  std::optional<UniqueFd> repository_;
  std::optional<UniqueFd> password_;
  std::optional<UniqueFd> aws_;
  std::optional<UniqueFd> certificates_;
};

}  // namespace lvmd::transfers::mover
