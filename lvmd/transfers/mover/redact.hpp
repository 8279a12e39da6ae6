// Removes secrets from texts that leave the mover [P-XFER-5, P-XFER-12].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "internal/transfer.pb.h"

namespace lvmd::transfers::mover {

// Immutable after construction, so it may be used from any thread.
class Redactor {
 public:
  // Redacts each value of the credentials, also in its percent-encoded form.
  explicit Redactor(const v1::Credentials& credentials);

  // Returns the text with *** in place of each secret, as one line of valid UTF-8 of at most 1,000
  // bytes: control characters become blanks, invalid bytes become '?', and the rest is cut off.
  [[nodiscard]] std::string operator()(std::string_view text) const;

 private:
  void add(std::string_view secret);

  // Sorted by descending length, because one secret may be part of another.
  std::vector<std::string> secrets_;
};

}  // namespace lvmd::transfers::mover
