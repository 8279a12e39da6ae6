// Reads many fields and reports the first error, so that a record is checked once.
#pragma once

#include <optional>
#include <utility>

#include "lvmd/base/result.hpp"

namespace lvmd {

class FieldReader {
 public:
  // The value; a default one after an error.
  template <typename T>
  T take(Result<T> value) {
    if (value) return *std::move(value);
    if (!error_) error_ = std::move(value.error());
    return T{};
  }
  // The first error, if any.
  [[nodiscard]] Status finish() const {
    if (error_) return std::unexpected(*error_);
    return {};
  }
  template <typename T>
  [[nodiscard]] Result<T> finish(T value) const {
    if (error_) return std::unexpected(*error_);
    return value;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace lvmd
