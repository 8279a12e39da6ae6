#include <fcntl.h>

#include <catch2/catch.hpp>
#include <type_traits>
#include <utility>

#include "lvmd/base/unique_c.hpp"
#include "lvmd/base/unique_fd.hpp"

using lvmd::UniqueFd;

namespace {

UniqueFd open_null() { return UniqueFd{::open("/dev/null", O_RDONLY | O_CLOEXEC)}; }

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

struct Handle {
  int released = 0;
};
void release(Handle* handle) { ++handle->released; }
int release_with_result(Handle* handle) { return ++handle->released; }

}  // namespace

TEST_CASE("a UniqueFd without a descriptor is false", "[base]") {
  CHECK_FALSE(UniqueFd{});
  CHECK(UniqueFd{}.get() == -1);
  CHECK_FALSE(UniqueFd{-1});
}

TEST_CASE("the destructor of UniqueFd closes the descriptor", "[base]") {
  int number = -1;
  {
    const UniqueFd fd = open_null();
    REQUIRE(fd);
    number = fd.get();
    CHECK(is_open(number));
  }
  CHECK_FALSE(is_open(number));
}

TEST_CASE("moving a UniqueFd transfers the ownership", "[base]") {
  static_assert(!std::is_copy_constructible_v<UniqueFd> && !std::is_copy_assignable_v<UniqueFd>);
  UniqueFd first = open_null();
  const int number = first.get();
  UniqueFd second{std::move(first)};
  CHECK_FALSE(first);  // NOLINT(bugprone-use-after-move): the test checks the moved-from object
  CHECK(second.get() == number);

  UniqueFd third = open_null();
  const int replaced = third.get();
  third = std::move(second);
  CHECK_FALSE(is_open(replaced));
  CHECK(third.get() == number);
  CHECK(is_open(number));
}

TEST_CASE("a UniqueFd assigned to itself keeps its descriptor", "[base]") {
  UniqueFd fd = open_null();
  UniqueFd& same = fd;
  fd = std::move(same);
  CHECK(is_open(fd.get()));
}

TEST_CASE("release() returns the descriptor without closing it", "[base]") {
  UniqueFd fd = open_null();
  const int number = fd.release();
  CHECK_FALSE(fd);
  CHECK(is_open(number));
  fd.reset(number);
  CHECK(fd.get() == number);
  fd.reset();
  CHECK_FALSE(is_open(number));
}

TEST_CASE("UniqueC calls its release function once, whatever its return type", "[base]") {
  Handle handle;
  {
    const lvmd::UniqueC<Handle, &release> owner{&handle};
  }
  CHECK(handle.released == 1);
  {
    const lvmd::UniqueC<Handle, &release_with_result> owner{&handle};
  }
  CHECK(handle.released == 2);
  {
    const lvmd::UniqueC<Handle, &release> none;
  }
  CHECK(handle.released == 2);
}
