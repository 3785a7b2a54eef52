package config

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
)

// Digest identifies the configuration. Secrets are left out of it: a short one
// could be guessed from the digest.
func (c *Config) Digest() (string, error) {
	shown := *c
	for _, address := range []*string{&shown.Archive, &shown.Feeds.Hub} {
		if u, err := url.Parse(*address); err != nil {
			*address = ""
		} else if u.Scheme != "" {
			*address = (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
		}
	}
	encoded, err := json.Marshal(shown) // where a Secret is ****
	if err != nil {
		return "", fmt.Errorf("digest of the configuration: %w", err)
	}
	sum := sha256.Sum256(encoded)
	return fmt.Sprintf("%x", sum[:16]), nil
}
