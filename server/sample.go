package server

import (
	"context"
	"fmt"
	"net/http"

	"ayna/archive"
	"ayna/server/sample"
)

// Sample returns the built-in news service: the Read API at /v1/ and the pictures at
// /resim/. base is the address it is reached at.
func Sample(ctx context.Context, base string) (http.Handler, error) {
	a, err := archive.Memory(ctx)
	if err != nil {
		return nil, fmt.Errorf("sample service: %w", err)
	}
	if err := sample.Load(ctx, a, base); err != nil {
		return nil, fmt.Errorf("sample service: %w", err)
	}
	pictures := sample.Pictures()
	return Split(New(a, Options{}), pictures, pictures), nil
}
