package config

import (
	"fmt"
	"maps"
	"slices"
)

// UnsetError is a value whose environment variable is unset or empty.
type UnsetError struct {
	At   string // file and line
	Key  string // of site.yaml
	Name string // of the variable
}

// Error names the place, the key and the variable.
func (e *UnsetError) Error() string {
	return fmt.Sprintf("%s: %s: ${%s} is not set in the environment, or empty", e.At, e.Key, e.Name)
}

// Hint returns the command that sets the variable.
func (e *UnsetError) Hint() string {
	hint := "export " + e.Name + "=…"
	if e.Key == "source.api_key" {
		hint += "; or remove source.api_key, if the service asks for no key"
	}
	return hint
}

func (p *places) missing(key, name string) *UnsetError {
	e := &UnsetError{At: p.file, Key: key, Name: name}
	if at := p.keys[key]; at != nil {
		e.At = fmt.Sprintf("%s:%d", p.file, at.Line)
	}
	return e
}

// Need returns an [UnsetError] if a value is missing whose key a command needs.
// It is about secrets and what is below serve; all else is always needed.
func (c *Config) Need(needs func(key string) bool) error {
	for _, key := range slices.Sorted(maps.Keys(c.unset)) {
		if needs(key) {
			return c.unset[key]
		}
	}
	return nil
}
