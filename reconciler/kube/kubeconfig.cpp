#include "reconciler/kube/kubeconfig.hpp"

#include <openssl/evp.h>
#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace lvmd::reconciler::kube {
namespace {

class Reader {
 public:
  Reader(std::string path, const YAML::Node& document)
      : path_(std::move(path)),
        folder_(std::filesystem::path{path_}.parent_path()),
        document_(document) {}

  [[nodiscard]] Result<KubeOptions> read() const {
    const std::string current = text(document_, "current-context");
    if (current.empty()) return wrong("current-context is not set");
    const YAML::Node context = entry("contexts", current)["context"];
    if (!context.IsMap()) return wrong("there is no context {}", current);
    KubeOptions options;
    if (auto read = read_cluster(text(context, "cluster"), options); !read)
      return std::unexpected(std::move(read.error()));
    if (auto read = read_user(text(context, "user"), options); !read)
      return std::unexpected(std::move(read.error()));
    return options;
  }

 private:
  template <typename... Arguments>
  [[nodiscard]] std::unexpected<Error> wrong(fmt::format_string<Arguments...> format,
                                             Arguments&&... arguments) const {
    return fail(Code::kInvalidArgument, "{}: {}", path_,
                fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  [[nodiscard]] static std::string text(const YAML::Node& mapping, const char* key) {
    const YAML::Node value = mapping[key];
    return value && value.IsScalar() ? value.Scalar() : "";
  }

  // The entry of the list with that name; an empty mapping when there is none.
  [[nodiscard]] YAML::Node entry(const char* list, const std::string& name) const {
    const YAML::Node entries = document_[list];
    if (entries && entries.IsSequence())
      for (const YAML::Node& one : entries)
        if (one.IsMap() && text(one, "name") == name) return one;
    return YAML::Node{YAML::NodeType::Map};
  }

  // `key` is a path relative to the file's folder; `key`-data is the content itself.
  [[nodiscard]] Status read_pem(const YAML::Node& mapping, const std::string& key, Pem& pem) const {
    const std::string data = text(mapping, (key + "-data").c_str());
    const std::string file = text(mapping, key.c_str());
    if (!data.empty()) {
      auto decoded = decode_base64(data);
      if (!decoded) return wrong("{}-data is not base64", key);
      pem.data = std::move(*decoded);
    } else if (!file.empty()) {
      pem.file = folder_ / file;
    }
    return {};
  }

  [[nodiscard]] Status read_cluster(const std::string& name, KubeOptions& options) const {
    const YAML::Node cluster = entry("clusters", name)["cluster"];
    if (!cluster.IsMap()) return wrong("there is no cluster {}", name);
    options.server = text(cluster, "server");
    while (options.server.ends_with('/')) options.server.pop_back();
    if (!options.server.starts_with("https://"))
      return wrong("cluster {}: server \"{}\" does not begin with https://", name, options.server);
    for (const char* const key : {"insecure-skip-tls-verify", "proxy-url", "tls-server-name"})
      if (const std::string value = text(cluster, key); !value.empty() && value != "false")
        return wrong("cluster {}: {} is not supported", name, key);
    if (auto read = read_pem(cluster, "certificate-authority", options.ca); !read) return read;
    if (options.ca.is_empty()) return wrong("cluster {} has no certificate-authority", name);
    return {};
  }

  [[nodiscard]] Status read_user(const std::string& name, KubeOptions& options) const {
    const YAML::Node user = entry("users", name)["user"];
    if (!user.IsMap()) return wrong("there is no user {}", name);
    for (const char* const key : {"exec", "auth-provider", "username", "password", "as"})
      if (user[key])
        return wrong(
            "user {}: {} is not supported: give it a token, tokenFile or a client certificate",
            name, key);
    options.token = text(user, "token");
    if (const std::string file = text(user, "tokenFile"); !file.empty())
      options.token_file = folder_ / file;
    if (auto read = read_pem(user, "client-certificate", options.client_certificate); !read)
      return read;
    if (auto read = read_pem(user, "client-key", options.client_key); !read) return read;
    if (options.client_certificate.is_empty() != options.client_key.is_empty())
      return wrong("user {} has only one of client-certificate and client-key", name);
    if (options.token.empty() && options.token_file.empty() && options.client_key.is_empty())
      return wrong("user {} has neither a token nor a client certificate", name);
    return {};
  }

  std::string path_;
  std::filesystem::path folder_;
  YAML::Node document_;
};

std::string environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

}  // namespace

std::string in_cluster_server() {
  const std::string host = environment("KUBERNETES_SERVICE_HOST");
  const std::string port = environment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) return {};
  const bool is_ipv6 = host.contains(':');
  return fmt::format("https://{}{}{}:{}", is_ipv6 ? "[" : "", host, is_ipv6 ? "]" : "", port);
}

std::optional<std::string> decode_base64(std::string_view text) {
  std::size_t padding = text.ends_with('=') ? 1 : 0;
  if (text.ends_with("==")) padding = 2;
  // OpenSSL skips white space at both ends and accepts '=' as a digit everywhere.
  const std::string_view digits = text.substr(0, text.size() - padding);
  if (digits.find_first_of("= \t\r\n") != std::string_view::npos) return std::nullopt;
  if (text.size() % 4 != 0 || text.size() > std::numeric_limits<int>::max()) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // OpenSSL counts the padding as bytes.
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

Result<KubeOptions> read_kubeconfig(const std::string& path) {
  try {
    const YAML::Node document = YAML::LoadFile(path);
    if (!document.IsMap())
      return fail(Code::kInvalidArgument, "{} is not a kubeconfig: it must be a mapping", path);
    return Reader{path, document}.read();
  } catch (const YAML::BadFile&) {
    return fail(Code::kInvalidArgument, "{} cannot be read", path);
  } catch (const YAML::Exception& error) {
    return fail(Code::kInvalidArgument, "{}: {}", path, error.what());
  }
}

}  // namespace lvmd::reconciler::kube
