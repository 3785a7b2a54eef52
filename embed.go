// Package ayna holds the configuration of the sample site ([SampleConfig]), so that the
// program needs no file beside it.
package ayna

import _ "embed"

// SampleConfig is the site.yaml of the sample, as the repository has it.
//
//go:embed site.yaml
var SampleConfig []byte
