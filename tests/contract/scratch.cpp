#include "tests/contract/scratch.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

namespace lvmd::contract {
namespace {

std::string socket_under_test() {
  const char* const path = std::getenv("LVMD_CONTRACT_SOCKET");
  if (path == nullptr) FAIL("LVMD_CONTRACT_SOCKET is not set; see tests/contract/README.md");
  return path;
}

}  // namespace

Scratch::Scratch() : client(socket_under_test()) {}

Scratch::~Scratch() {
  for (auto volume = volumes_.rbegin(); volume != volumes_.rend(); ++volume) {
    const auto removed = client.remove(remove_request(volume->first, volume->second));
    if (!removed.ok() && removed.code != Code::kNotFound)
      WARN("not removed: " << volume->second << ": " << removed.message);
  }
}

std::string Scratch::name(const std::string& device_class) {
  static int last = 0;
  std::string name = fmt::format("ct-{}-{}", ::getpid(), ++last);
  volumes_.emplace_back(device_class, name);
  return name;
}

proto::CreateLVRequest create_request(const std::string& device_class, const std::string& name,
                                      std::int64_t size) {
  proto::CreateLVRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  request.set_size_bytes(size);
  return request;
}

proto::RemoveLVRequest remove_request(const std::string& device_class, const std::string& name) {
  proto::RemoveLVRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  return request;
}

proto::ResizeLVRequest resize_request(const std::string& device_class, const std::string& name,
                                      std::int64_t size) {
  proto::ResizeLVRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  request.set_size_bytes(size);
  return request;
}

proto::CreateLVSnapshotRequest snapshot_request(const std::string& device_class,
                                                const std::string& name, const std::string& source,
                                                const std::string& access_type) {
  proto::CreateLVSnapshotRequest request;
  request.set_device_class(device_class);
  request.set_name(name);
  request.set_source_volume(source);
  request.set_access_type(access_type);
  return request;
}

proto::LogicalVolume listed(Client& client, const std::string& device_class,
                            const std::string& name) {
  const auto list = client.list(device_class);
  INFO(list.message);
  REQUIRE(list.ok());
  for (const proto::LogicalVolume& volume : list.response.volumes())
    if (volume.name() == name) return volume;
  return {};
}

std::int64_t free_bytes(Client& client, const std::string& device_class) {
  const auto answer = client.free_bytes(device_class);
  INFO(answer.message);
  REQUIRE(answer.ok());
  return static_cast<std::int64_t>(answer.response.free_bytes());
}

std::string lasting(proto::LogicalVolume volume) {
  constexpr std::size_t kOpen = 5;
  if (volume.attr().size() > kOpen) (*volume.mutable_attr())[kOpen] = '?';
  return volume.ShortDebugString();
}

}  // namespace lvmd::contract
