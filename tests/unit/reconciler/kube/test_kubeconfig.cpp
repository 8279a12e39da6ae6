#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "reconciler/kube/kubeconfig.hpp"

using namespace lvmd;
using namespace lvmd::reconciler::kube;

namespace {

// A kubeconfig in a folder of its own.
class File {
 public:
  explicit File(const std::string& text) {
    std::string pattern = std::filesystem::temp_directory_path() / "lvmd-kubeconfig-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    std::ofstream{path()} << text;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ / "config"; }
  [[nodiscard]] std::string beside(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

std::string config(const std::string& cluster, const std::string& user) {
  return fmt::format(R"(
apiVersion: v1
kind: Config
current-context: here
contexts:
  - {{name: other, context: {{cluster: none, user: none}}}}
  - {{name: here, context: {{cluster: c, user: u}}}}
clusters: [{{name: c, cluster: {{{}}}}}]
users: [{{name: u, user: {{{}}}}}]
)",
                     cluster, user);
}

const std::string kCluster = "server: \"https://k.example:6443/\", certificate-authority: ca.crt";

}  // namespace

TEST_CASE("base64 is read as it is written [R-CLI-13]", "[reconciler][kube]") {
  const auto [text, bytes] = GENERATE(table<std::string, std::string>(
      {{"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"}, {"+/+/", "\xfb\xff\xbf"}}));
  CHECK(decode_base64(text) == bytes);
  CHECK_FALSE(decode_base64("Zg=").has_value());
  CHECK_FALSE(decode_base64("Z g=").has_value());
  CHECK_FALSE(decode_base64("=Zg=").has_value());
}

TEST_CASE("the current context of a kubeconfig is used [R-CLI-13]", "[reconciler][kube]") {
  SECTION("files beside it") {
    const File file{config(kCluster, "tokenFile: token")};
    const auto options = read_kubeconfig(file.path());
    REQUIRE(options.has_value());
    CHECK(options->server == "https://k.example:6443");
    CHECK(options->ca.file == file.beside("ca.crt"));
    CHECK(options->token_file == file.beside("token"));
  }
  SECTION("all in it") {
    const File file{config("server: \"https://k\", certificate-authority-data: Zm9v",
                           "token: secret, client-certificate-data: Zg==, client-key-data: Zm8=")};
    const auto options = read_kubeconfig(file.path());
    REQUIRE(options.has_value());
    CHECK(options->ca.data == "foo");
    CHECK(options->token == "secret");
    CHECK(options->client_certificate.data == "f");
    CHECK(options->client_key.data == "fo");
  }
}

TEST_CASE("an unusable kubeconfig is refused by name [R-CLI-13]", "[reconciler][kube]") {
  const auto [text, word] = GENERATE(table<std::string, std::string>({
      {"[]", "mapping"},
      {"a: [", "line"},
      {"{}", "current-context"},
      {"current-context: here", "context here"},
      {config("server: \"http://k\"", "token: t"), "https://"},
      {config("server: \"https://k\"", "token: t"), "certificate-authority"},
      {config(kCluster + ", insecure-skip-tls-verify: true", "token: t"), "insecure-skip"},
      {config("server: \"https://k\", certificate-authority-data: \"*\"", "token: t"), "base64"},
      {config(kCluster, "exec: {command: x}"), "exec"},
      {config(kCluster, "username: x"), "username"},
      {config(kCluster, "client-key: k"), "client-certificate"},
      {config(kCluster, ""), "neither"},
  }));
  const File file{text};
  const auto options = read_kubeconfig(file.path());
  REQUIRE_FALSE(options.has_value());
  CAPTURE(options.error().message);
  CHECK(options.error().message.contains(file.path()));
  CHECK(options.error().message.contains(word));
  CHECK_FALSE(read_kubeconfig(file.beside("absent")).has_value());
}
