#include "csi/kube/kube_object_store.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "csi/kube/handlers.hpp"
#include "csi/kube/object_requests.hpp"
#include "csi/kube/request_pool.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/object_json.hpp"
#include "reconciler/kube/reflector.hpp"
#include "reconciler/kube/watch_event.hpp"

namespace lvmd::controller::kube {
namespace {

using reconciler::Bytes;
using reconciler::Group;
using reconciler::Key;
using reconciler::LogicalVolume;
using reconciler::kube::HttpRequest;
using reconciler::kube::KubeOptions;
using reconciler::kube::Reflector;
using reconciler::kube::StopSignal;

// A list can expire while its pages are read.
constexpr int kListAttempts = 3;

// The codes of ObjectStore: 410 has no meaning outside a list.
Error to_store_error(Error error) {
  if (error.code == Code::kOutOfRange) error.code = Code::kUnavailable;
  return error;
}

class KubeObjectStore final : public ObjectStore {
 public:
  KubeObjectStore(const KubeOptions& options, const Driver& driver, StopSignal stop)
      : driver_(driver),
        stop_(std::move(stop)),
        requests_(options, stop_.fd()),
        volumes_(driver.group(), feed_),
        nodes_(driver),
        volumes_reflector_(options, volumes_, stop_.fd()),
        nodes_reflector_(options, nodes_, stop_.fd()) {}
  KubeObjectStore(const KubeObjectStore&) = delete;
  KubeObjectStore& operator=(const KubeObjectStore&) = delete;
  ~KubeObjectStore() override { stop(); }

  bool is_ready() const override {
    return volumes_reflector_.is_synced() && nodes_reflector_.is_synced();
  }
  const ObjectFeed& seen() const override { return feed_; }
  std::vector<StorageNode> nodes() const override { return nodes_.all(); }
  Subscription subscribe(const std::string& name) override { return feed_.subscribe(name); }

  Result<LogicalVolume> read(const std::string& name) override {
    return send_for_object({.path = path_of(name)});
  }

  Result<std::vector<LogicalVolume>> list() override {
    for (int attempt = 1;; ++attempt) {
      auto all = list_pages();
      const bool has_expired = !all && all.error().code == Code::kOutOfRange;
      if (has_expired && attempt < kListAttempts) continue;
      if (!all) return std::unexpected(to_store_error(std::move(all.error())));
      return all;
    }
  }

  Result<LogicalVolume> create(const NewObject& object) override {
    const auto response = requests_.send({.method = "POST",
                                          .path = reconciler::kube::volumes_path(driver_.group()),
                                          .body = new_object_body(object)});
    if (!response) return std::unexpected(response.error());
    if (auto error = reconciler::kube::error_of(response->status, response->body)) {
      if (error->code == Code::kAborted && is_already_exists(response->body))
        error->code = Code::kAlreadyExists;
      // Without the object's own name, 404 is about the kind.
      if (error->code == Code::kNotFound) error->code = Code::kUnavailable;
      return std::unexpected(to_store_error(std::move(*error)));
    }
    return reconciler::kube::parse_object(driver_.group(), response->body);
  }

  Result<LogicalVolume> set_size(const LogicalVolume& object, Bytes size,
                                 const std::string& timestamp) override {
    return send_for_object(
        {.method = "PATCH",
         .path = path_of(object.key.name),
         .body = size_patch(object, size, driver_.resize_annotation(), timestamp)});
  }

  Result<Report> remove(const LogicalVolume& object, Removal removal) override {
    const auto body = send({.method = "DELETE",
                            .path = path_of(object.key.name),
                            .body = removal_body(object, removal)});
    if (!body) return std::unexpected(body.error());
    return parse_removal(driver_.group(), *body);
  }

  void stop() override {
    stop_.raise();
    feed_.stop();
    volumes_reflector_.join();
    nodes_reflector_.join();
  }

 private:
  [[nodiscard]] std::string path_of(const std::string& name) const {
    return reconciler::kube::object_path({.group = driver_.group(), .name = name});
  }

  Result<std::string> send(const HttpRequest& request) {
    auto body = reconciler::kube::body_of(requests_.send(request));
    if (!body) return std::unexpected(to_store_error(std::move(body.error())));
    return body;
  }

  Result<LogicalVolume> send_for_object(const HttpRequest& request) {
    const auto body = send(request);
    if (!body) return std::unexpected(body.error());
    return reconciler::kube::parse_object(driver_.group(), *body);
  }

  // OutOfRange when the list has expired.
  Result<std::vector<LogicalVolume>> list_pages() {
    std::vector<LogicalVolume> all;
    std::string continuation;
    do {
      const auto path = reconciler::kube::list_path(reconciler::kube::volumes_path(driver_.group()),
                                                    "", continuation);
      const auto body = reconciler::kube::body_of(requests_.send({.path = path}));
      // Without the kind, nothing is known about the objects.
      if (!body && body.error().code == Code::kNotFound)
        return fail(Code::kUnavailable, "{}", body.error().message);
      if (!body) return std::unexpected(body.error());
      auto page = reconciler::kube::parse_list(*body);
      if (!page) return std::unexpected(std::move(page.error()));
      for (const nlohmann::json& item : page->items) {
        auto object = reconciler::kube::object_from_json(driver_.group(), item);
        if (!object) return std::unexpected(std::move(object.error()));
        all.push_back(std::move(*object));
      }
      continuation = std::move(page->continuation);
    } while (!continuation.empty());
    return all;
  }

  const Driver driver_;
  const StopSignal stop_;
  RequestPool requests_;
  ObjectFeed feed_;
  VolumesHandler volumes_;
  NodesHandler nodes_;
  // Last: their threads use the members above.
  Reflector volumes_reflector_;
  Reflector nodes_reflector_;
};

}  // namespace

Result<std::unique_ptr<ObjectStore>> open_object_store(const KubeOptions& options,
                                                       const Driver& driver) {
  auto stop = StopSignal::open();
  if (!stop) return std::unexpected(std::move(stop.error()));
  return std::make_unique<KubeObjectStore>(options, driver, std::move(*stop));
}

}  // namespace lvmd::controller::kube
