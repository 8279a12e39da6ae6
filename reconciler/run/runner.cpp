#include "reconciler/run/runner.hpp"

#include <fmt/format.h>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"
#include "reconciler/run/pass.hpp"

namespace lvmd::reconciler {
namespace {

// lvmd works on one call per volume group at a time anyway; more workers only keep a slow group
// from holding up the others.
constexpr int kWorkers = 8;

}  // namespace

Status Runner::start() {
  for (int worker = 0; worker < kWorkers; ++worker) workers_.emplace_back([this] { work(); });
  return store_.start([this](const Key& key) { changed(key); });
}

void Runner::stop() {
  stop_.request_stop();
  queue_.close();
  store_.stop();
  service_.cancel();
  workers_.clear();
}

// While an object waits for its retry, only a change of what is wished is worth an earlier one: our
// own writes of its status come back as changes too [R-FAIL-5].
void Runner::changed(const Key& key) {
  const auto shown = store_.get(key);
  if (shown && book_.of(*shown).failures > 0) return;
  queue_.add(key, WorkQueue::Clock::now());
}

void Runner::work() {
  while (const auto key = queue_.take()) {
    look_at(*key);
    queue_.done(*key);
  }
}

void Runner::look_at(const Key& key) {
  const auto shown = store_.get(key);
  if (!shown) {
    book_.forget(key);
    return;
  }
  Progress progress = book_.of(*shown);
  Pass pass{store_, service_, progress.seen, progress.failures, stop_.get_token()};
  const Outcome outcome = pass.run();
  if (outcome == Outcome::kGone) {
    book_.forget(key);
    return;
  }
  progress.seen = pass.volume();
  progress.superseded.insert(pass.superseded().begin(), pass.superseded().end());
  progress.failures = outcome == Outcome::kRetry ? progress.failures + 1 : 0;
  book_.note(progress);
  if (progress.failures == 0 || stop_.stop_requested()) return;
  const auto wait = retry_after(progress.failures, random_jitter());
  log::info(fmt::format("{}: trying again in {} ms", to_string(key), wait.count()));
  queue_.add(key, WorkQueue::Clock::now() + wait);
}

}  // namespace lvmd::reconciler
