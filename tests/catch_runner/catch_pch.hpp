// Precompiled for the programs of cases, half of whose compilation is to read this.

#include <catch2/catch.hpp>  // IWYU pragma: export
