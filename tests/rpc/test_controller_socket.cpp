// The socket of csi-controller.
#include <grpcpp/security/credentials.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "csi/app/sidecar_server.hpp"
#include "tests/rpc/controller_rig.hpp"

using namespace lvmd;
using namespace lvmd::rpc;
namespace api = lvmd::controller::api;

namespace {

// A new folder, which is removed at the end of the case.
class Folder {
 public:
  Folder() {
    std::string form = std::filesystem::temp_directory_path() / "csi-controller-XXXXXX";
    REQUIRE(::mkdtemp(form.data()) != nullptr);
    path_ = form;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string socket() const { return path_ / "csi.sock"; }

 private:
  std::filesystem::path path_;
};

// A socket whose process has died.
void leave_socket(const std::string& path) {
  const UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  REQUIRE(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

}  // namespace

TEST_CASE("the sidecars connect to a Unix socket, also after a crash left one [C-SERVE-3]",
          "[rpc][csi]") {
  const Folder folder;
  leave_socket(folder.socket());
  const controller::test::FakeObjects objects;
  controller::CallEdge edge;
  controller::IdentityService identity{edge, objects, {}, "1.2.3"};
  const auto server = controller::serve_sidecars(folder.socket(), {&identity});
  REQUIRE(server);
  const auto stub = api::Identity::NewStub(
      grpc::CreateChannel("unix:" + folder.socket(), grpc::InsecureChannelCredentials()));
  CHECK(send(*stub, &api::Identity::Stub::GetPluginInfo).response.name() == "topolvm.io");
  (*server)->Shutdown();
}

TEST_CASE("a file at the path of the socket stays, and an unusable folder is named [C-SERVE-3]",
          "[rpc][csi]") {
  const Folder folder;
  const controller::test::FakeObjects objects;
  controller::CallEdge edge;
  controller::IdentityService identity{edge, objects, {}, "1.2.3"};
  std::ofstream{folder.socket()} << "precious";
  const auto refused = controller::serve_sidecars(folder.socket(), {&identity});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(std::filesystem::file_size(folder.socket()) == 8);
  const std::string nowhere = folder.socket() + ".d/csi.sock";
  const auto failed = controller::serve_sidecars(nowhere, {&identity});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.contains(nowhere));
}
