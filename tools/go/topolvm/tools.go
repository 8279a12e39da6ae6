//go:build tools

// Package tools names the programs that this module pins for the tests.
package tools

import (
	_ "github.com/topolvm/topolvm/cmd/hypertopolvm"
	_ "github.com/topolvm/topolvm/cmd/lvmd"
)
