#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

#include "lvmd/supervisor/listening_sockets.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::supervisor;

namespace {

bool answers(const std::string& path) {
  const UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

SocketSpec at(const std::string& path) { return {.path = path, .group = std::nullopt}; }

}  // namespace

TEST_CASE("both sockets are created with mode 0660 [P-SOCK-3, P-SOCK-8]", "[supervisor]") {
  const ScratchDirectory directory;
  const auto sockets = open_listening_sockets(
      std::array{at(directory.file("lvmd.sock")), at(directory.file("lvmd-ro.sock"))});
  REQUIRE(sockets);
  CHECK(sockets->size() == 2);
  for (const char* const name : {"lvmd.sock", "lvmd-ro.sock"}) {
    CAPTURE(name);
    struct stat status{};
    REQUIRE(::stat(directory.file(name).c_str(), &status) == 0);
    CHECK(S_ISSOCK(status.st_mode));
    CHECK((status.st_mode & 07777) == 0660);
    CHECK(answers(directory.file(name)));
  }
}

TEST_CASE("the socket file of an ended lvmd is replaced, that of a running one is not [P-SOCK-8]",
          "[supervisor]") {
  const ScratchDirectory directory;
  const std::string path = directory.file("lvmd.sock");
  auto first = listen_on(at(path));
  REQUIRE(first);
  const auto second = listen_on(at(path));
  REQUIRE_FALSE(second);
  CHECK(second.error().code == Code::kFailedPrecondition);
  CHECK(second.error().message.find(path) != std::string::npos);
  CHECK(answers(path));
  *first = {};
  const auto third = listen_on(at(path));
  CHECK(third);
  CHECK(answers(path));
}

TEST_CASE("missing folders of a socket for kubelet are created with mode 0750 [P-CSI-2]",
          "[supervisor]") {
  const ScratchDirectory directory;
  const std::string path = directory.file("plugins/topolvm.io/csi.sock");
  CHECK_FALSE(listen_on(at(path)));
  SocketSpec spec = at(path);
  spec.makes_folders = true;
  REQUIRE(listen_on(spec));
  CHECK(answers(path) == false);  // The socket is closed; its file stays.
  for (const char* const name : {"plugins", "plugins/topolvm.io"}) {
    struct stat status{};
    REQUIRE(::stat(directory.file(name).c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0750);
  }
  CHECK(listen_on(spec));
}

TEST_CASE("a file that is not a socket stays, and the error names it [P-SOCK-8]", "[supervisor]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("lvmd.sock", "not a socket");
  const auto refused = listen_on(at(path));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find(path) != std::string::npos);
  CHECK(refused.error().message.find("not a socket") != std::string::npos);
  CHECK(std::filesystem::file_size(path) == 12);
}
