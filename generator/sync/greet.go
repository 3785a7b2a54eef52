package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"ayna/client"
)

// Greeting is what a source shows of itself in three requests.
type Greeting struct {
	Ahead    time.Duration // of the source's clock before this machine's
	Articles int           // on the first page
	Folders  []string      // paths without sub-folders, as "/spor/", in the source's order
}

// Greet asks a source for its newest articles, folders and date, without an archive
// and before any quota. Its errors are [ErrKey], [ErrShape] and [ErrDown].
func Greet(ctx context.Context, options Options) (g Greeting, err error) {
	c, err := client.New(client.Config{
		BaseURL: options.URL, APIKey: options.APIKey, Timeout: options.Timeout, UserAgent: options.UserAgent,
		Transport: &handlerTransport{options.Hosts, client.NewTransport()},
	})
	if err != nil {
		return g, fmt.Errorf("ask the source: %w", err)
	}
	batch, err := c.List(ctx, client.Articles, client.Query{Top: options.PageSize})
	if err != nil {
		return g, fmt.Errorf("ask the source: %w", firstFailure(err))
	}
	g.Articles = len(batch.Records)
	// A service may lack these two.
	if batch, err := c.List(ctx, client.Paths, client.Query{Top: 200}); err == nil {
		for _, raw := range batch.Records {
			var folder client.Path
			if err := json.Unmarshal(raw, &folder); err == nil && isTop(folder.Path) {
				g.Folders = append(g.Folders, strings.TrimSpace(folder.Path))
			}
		}
	}
	if date, err := c.Date(ctx); err == nil {
		g.Ahead = time.Until(date).Round(time.Second)
	}
	return g, nil
}

// isTop reports whether a path is that of a folder directly below the root.
func isTop(path string) bool {
	name := strings.Trim(path, " /")
	return name != "" && !strings.Contains(name, "/")
}

// firstFailure classifies the error of the first request to a source.
func firstFailure(err error) error {
	switch {
	case errors.Is(err, client.ErrUnauthorized), errors.Is(err, client.ErrForbidden):
		return fmt.Errorf("%w: %w", ErrKey, err)
	case errors.Is(err, client.ErrShape), errors.Is(err, client.ErrNotJSON), errors.Is(err, client.ErrNotFound):
		return fmt.Errorf("%w: %w", ErrShape, err)
	case isDown(err):
		return fmt.Errorf("%w: %w", ErrDown, err)
	}
	return err
}
