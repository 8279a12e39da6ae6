// bench-csi: calls a CSI driver and tells how long each call took. A line of JSON on stdin is a
// call, the line on stdout its answer:
//   {"method": "Controller/DeleteVolume", "request": {"volume_id": "abc"}}
//   {"code": 0, "message": "", "ms": 431.025, "response": {}}
// One connection, one call at a time. The clock runs while gRPC has the call.
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "csi.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::bench {
namespace {

using google::protobuf::Message;
using nlohmann::json;

// Longer than any call of a driver takes under emulation.
constexpr std::chrono::minutes kLimit{5};

using MessagePointer = std::unique_ptr<Message>;

MessagePointer message_of(const google::protobuf::Descriptor* type) {
  auto* const factory = google::protobuf::MessageFactory::generated_factory();
  return MessagePointer{factory->GetPrototype(type)->New()};
}

// A mistyped field must not become another call than the one meant.
Status read(const json& text, Message& message) {
  const auto read = google::protobuf::util::JsonStringToMessage(text.dump(), &message);
  if (read.ok()) return {};
  return fail(Code::kInvalidArgument, "{}: {}", text.dump(), read.ToString());
}

Result<json> json_of(const Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto written = google::protobuf::util::MessageToJsonString(message, &text, options);
  if (!written.ok())
    return fail(Code::kInternal, "{}: {}", message.GetTypeName(), written.ToString());
  return json::parse(text);
}

grpc::ByteBuffer bytes_of(const Message& message) {
  const grpc::Slice slice{message.SerializeAsString()};
  return grpc::ByteBuffer{&slice, 1};
}

std::string text_of(const grpc::ByteBuffer& bytes) {
  std::vector<grpc::Slice> slices;
  std::string text;
  if (!bytes.Valid() || !bytes.Dump(&slices).ok()) return text;
  for (const grpc::Slice& slice : slices)
    text.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return text;
}

class Driver {
 public:
  explicit Driver(const std::string& socket)
      : stub_(grpc::CreateChannel("unix:" + socket, grpc::InsecureChannelCredentials())) {}

  Result<json> call(const json& line) {
    std::string name = "csi.v1." + line.at("method").get<std::string>();
    const std::string path = "/" + name;
    std::ranges::replace(name, '/', '.');
    const auto* const pool = csi::v1::ProbeRequest::descriptor()->file()->pool();
    const auto* const method = pool->FindMethodByName(name);
    if (method == nullptr) return fail(Code::kInvalidArgument, "there is no {}", name);
    const MessagePointer request = message_of(method->input_type());
    const MessagePointer response = message_of(method->output_type());
    if (auto done = read(line.value("request", json::object()), *request); !done)
      return std::unexpected(done.error());

    const auto sent = bytes_of(*request);
    grpc::ByteBuffer received;
    const auto begin = std::chrono::steady_clock::now();
    const grpc::Status status = ask(path, sent, received);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    json answer{
        {"code", status.error_code()}, {"message", status.error_message()}, {"ms", took.count()}};
    if (!status.ok()) return answer;
    if (!response->ParseFromString(text_of(received)))
      return fail(Code::kInternal, "the answer of {} is no message", name);
    auto told = json_of(*response);
    if (!told) return told;
    answer["response"] = std::move(*told);
    return answer;
  }

 private:
  grpc::Status ask(const std::string& path, const grpc::ByteBuffer& sent,
                   grpc::ByteBuffer& received) {
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    grpc::CompletionQueue queue;
    const auto call = stub_.PrepareUnaryCall(&context, path, sent, &queue);
    call->StartCall();
    grpc::Status status;
    call->Finish(&received, &status, nullptr);
    void* tag = nullptr;
    bool has_ended = false;
    queue.Next(&tag, &has_ended);
    return status;
  }

  grpc::GenericStub stub_;
};

Status answer_all(Driver& driver) {
  for (std::string line; std::getline(std::cin, line);) {
    const json parsed = json::parse(line, nullptr, false);
    if (!parsed.is_object() || !parsed.contains("method"))
      return fail(Code::kInvalidArgument, "not a call: {}", line);
    const auto answer = driver.call(parsed);
    if (!answer) return std::unexpected(answer.error());
    std::cout << answer->dump() << '\n' << std::flush;
  }
  return {};
}

}  // namespace
}  // namespace lvmd::bench

int main(int argc, char** argv) try {
  using namespace lvmd;
  std::string socket;
  CLI::App app{
      "Times the calls of a CSI driver: reads a line of JSON for each call from stdin, and writes "
      "one with its answer and its milliseconds."};
  app.set_version_flag("--version", "bench-csi " LVMD_VERSION);
  app.add_option("--socket", socket, "path of the driver's socket")->required();
  CLI11_PARSE(app, argc, argv);

  bench::Driver driver{socket};
  const Status done = bench::answer_all(driver);
  if (done) return 0;
  fmt::print(stderr, "bench-csi: {}\n", describe(done.error()));
  return 1;
} catch (const std::exception& unexpected) {
  fmt::print(stderr, "bench-csi: unexpected: {}\n", unexpected.what());
  return 1;
}
