// diff-client: asks several lvmds the same thing at the same moment. A line of JSON on stdin is a
// list of calls, the line on stdout the list of their answers:
//   [{"socket": "/run/a.sock", "method": "GetFreeBytes", "request": {"device_class": "thin"}}]
//   [{"code": "OK", "message": "", "response": {"free_bytes": "4096"}}]
// Connections last as long as the program.
#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <chrono>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "tests/contract/client.hpp"

namespace lvmd::differential {
namespace {

using contract::Answer;
using contract::Client;
using nlohmann::json;

using Method = std::function<Result<json>(Client&, const json&)>;

Error protobuf_error(std::string_view what, const google::protobuf::util::Status& status) {
  return make_error(Code::kInvalidArgument, "{}: {}", what, status.ToString());
}

// A mistyped field must not become another call than the one meant.
template <typename Message>
Result<Message> message_of(const json& request) {
  Message message;
  const auto read = google::protobuf::util::JsonStringToMessage(request.dump(), &message);
  if (!read.ok()) return std::unexpected(protobuf_error(request.dump(), read));
  return message;
}

Result<json> json_of(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto written = google::protobuf::util::MessageToJsonString(message, &text, options);
  if (!written.ok()) return std::unexpected(protobuf_error(message.GetTypeName(), written));
  return json::parse(text);
}

template <typename Response>
json status_of(const Answer<Response>& answer) {
  return {{"code", to_string(answer.code)}, {"message", answer.message}};
}

template <typename Response>
Result<json> answer_of(const Answer<Response>& answer) {
  json told = status_of(answer);
  if (!answer.ok()) return told;
  auto response = json_of(answer.response);
  if (!response) return std::unexpected(response.error());
  told["response"] = std::move(*response);
  return told;
}

template <typename Request, typename Call>
Method unary(Call call) {
  return [call](Client& client, const json& text) -> Result<json> {
    const auto request = message_of<Request>(text);
    if (!request) return std::unexpected(request.error());
    return answer_of(call(client, *request));
  };
}

std::chrono::milliseconds limit_of(const json& request) {
  return std::chrono::milliseconds{request.value("milliseconds", 2000)};
}

// All messages that come within the limit, as values of JSON.
template <typename Message>
Result<json> messages_of(contract::Stream<Message>& stream, std::chrono::milliseconds limit,
                         const std::function<Result<json>(const Message&)>& to_json) {
  const auto until = std::chrono::steady_clock::now() + limit;
  const auto left = [until] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(until -
                                                                 std::chrono::steady_clock::now());
  };
  json messages = json::array();
  while (left().count() > 0) {
    const auto message = stream.next(left());
    if (!message) break;
    auto told = to_json(*message);
    if (!told) return told;
    messages.push_back(std::move(*told));
  }
  if (messages.empty())
    if (const auto end = stream.end(limit)) return status_of(*end);
  return json{{"code", "OK"}, {"message", ""}, {"response", {{"messages", messages}}}};
}

Result<json> watch(Client& client, const json& request) {
  const auto stream = client.watch();
  return messages_of<proto::WatchResponse>(
      *stream, limit_of(request),
      [](const proto::WatchResponse& message) { return json_of(message); });
}

Result<json> watch_health(Client& client, const json& request) {
  const auto stream = client.watch_health(request.value("service", ""));
  return messages_of<contract::Health>(*stream, limit_of(request), [](contract::Health health) {
    return Result<json>{static_cast<int>(health)};
  });
}

Result<json> check_health(Client& client, const json& request) {
  const auto answer = client.health(request.value("service", ""));
  json told = status_of(answer);
  if (answer.ok()) told["response"] = {{"status", static_cast<int>(answer.response)}};
  return told;
}

Result<json> reflect(Client& client, const json& /*request*/) {
  const auto answer = client.reflected_services();
  json told = status_of(answer);
  if (answer.ok()) told["response"] = {{"services", answer.response}};
  return told;
}

const std::map<std::string, Method>& methods() {
  static const std::map<std::string, Method> kAll{
      {"CreateLV", unary<proto::CreateLVRequest>(
                       [](Client& client, const auto& request) { return client.create(request); })},
      {"RemoveLV", unary<proto::RemoveLVRequest>(
                       [](Client& client, const auto& request) { return client.remove(request); })},
      {"ResizeLV", unary<proto::ResizeLVRequest>(
                       [](Client& client, const auto& request) { return client.resize(request); })},
      {"CreateLVSnapshot",
       unary<proto::CreateLVSnapshotRequest>(
           [](Client& client, const auto& request) { return client.snapshot(request); })},
      {"GetLVList", unary<proto::GetLVListRequest>([](Client& client, const auto& request) {
         return client.list(request.device_class());
       })},
      {"GetFreeBytes", unary<proto::GetFreeBytesRequest>([](Client& client, const auto& request) {
         return client.free_bytes(request.device_class());
       })},
      {"Watch", watch},
      {"Health.Check", check_health},
      {"Health.Watch", watch_health},
      {"Reflection", reflect},
  };
  return kAll;
}

class Clients {
 public:
  // Answers all calls of a line, made at once.
  Result<json> answer(const std::string& line) {
    std::vector<std::future<Result<json>>> running;
    for (const json& call : json::parse(line)) {
      const std::string name = call.at("method");
      const auto method = methods().find(name);
      if (method == methods().end())
        return fail(Code::kInvalidArgument, "no method is called \"{}\"", name);
      Client& client = clients_.try_emplace(call.at("socket"), call.at("socket")).first->second;
      running.push_back(
          std::async(std::launch::async, method->second, std::ref(client), call.at("request")));
    }
    json answers = json::array();
    for (auto& call : running) {
      auto answer = call.get();
      if (!answer) return answer;
      answers.push_back(std::move(*answer));
    }
    return answers;
  }

 private:
  std::map<std::string, Client> clients_;
};

}  // namespace
}  // namespace lvmd::differential

int main() {
  lvmd::differential::Clients clients;
  try {
    for (std::string line; std::getline(std::cin, line);) {
      const auto answers = clients.answer(line);
      if (!answers) {
        fmt::print(stderr, "diff-client: {}\n", lvmd::describe(answers.error()));
        return 1;
      }
      std::cout << answers->dump() << '\n' << std::flush;
    }
  } catch (const nlohmann::json::exception& error) {
    fmt::print(stderr, "diff-client: a line that is no list of calls: {}\n", error.what());
    return 1;
  }
  return 0;
}
