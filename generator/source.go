package generator

import (
	"ayna/client"
	"ayna/client/wordpress"
	"ayna/generator/config"
	"ayna/generator/sync"
)

// openSource returns what opens a source of the configured kind. The key goes to the
// source's origin only.
func openSource(c config.Source) func(sync.Connection) (sync.Source, error) {
	if c.Kind == config.WordPress {
		return func(with sync.Connection) (sync.Source, error) {
			return wordpress.New(wordpress.Config{
				BaseURL: c.URL, APIKey: string(c.APIKey), Columns: c.Columns, Types: c.Types,
				Timeout: with.Timeout, UserAgent: with.UserAgent, Transport: with.Transport, Gate: with.Gate, Found: with.Found,
			})
		}
	}
	return func(with sync.Connection) (sync.Source, error) {
		return client.New(client.Config{
			BaseURL: c.URL, APIKey: string(c.APIKey), Places: client.PlacesIn(with.Found),
			Timeout: with.Timeout, UserAgent: with.UserAgent, Transport: with.Transport, Gate: with.Gate,
		})
	}
}
