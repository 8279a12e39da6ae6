//go:build tools

// Package tools names the programs that this module pins for the tests.
package tools

import (
	_ "github.com/bojand/ghz/cmd/ghz"
	_ "github.com/fullstorydev/grpcurl/cmd/grpcurl"
)
