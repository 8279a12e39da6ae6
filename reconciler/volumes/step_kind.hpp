// What a step is about: where its failure is told, and whether a dry run may take it.
#pragma once

#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// Its failure is the volume's. The others' are the store's, but for those below.
[[nodiscard]] bool is_about_the_volume(const Step& step);

// What fails of it has nothing to do with the volume.
[[nodiscard]] bool is_about_the_transfer(const Step& step);

// It changes nothing.
[[nodiscard]] bool only_looks(const Step& step);

}  // namespace lvmd::reconciler
