// Ownership of C handles: UniqueC<FILE, &fclose> is a unique_ptr that calls fclose.
#pragma once

#include <memory>

namespace lvmd {

template <auto kRelease>
struct CRelease {
  template <typename T>
  void operator()(T* handle) const noexcept {
    static_cast<void>(kRelease(handle));
  }
};

template <typename T, auto kRelease>
using UniqueC = std::unique_ptr<T, CRelease<kRelease>>;

}  // namespace lvmd
