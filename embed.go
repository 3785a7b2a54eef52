// Package ayna holds the configuration of the sample site ([SampleConfig]) and the page that
// describes all keys ([Configuration]), so that the program needs no file beside it.
package ayna

import _ "embed"

// SampleConfig is the site.yaml of the sample, as the repository has it.
//
//go:embed site.yaml
var SampleConfig []byte

// Configuration is docs/configuration.md, whose tables describe each key of site.yaml.
//
//go:embed docs/configuration.md
var Configuration string
