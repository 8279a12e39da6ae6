//go:build tools

// Package tools names the program that this module pins for the tests.
package tools

import _ "github.com/restic/restic/cmd/restic"
