package sample

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"ayna/archive"
	adapter "ayna/generator/wire"
	"ayna/server"
)

// Origin is the address under which the sample is read by a program that has
// it built in. The name is reserved for examples (RFC 2606): no network knows
// it.
const Origin = "https://akcaliman-postasi.example"

// Service returns a handler that is the whole news service: the Read API at
// /v1/ and the pictures that its records name. base is the address under which
// it will be reached.
func Service(ctx context.Context, base string) (http.Handler, error) {
	a, err := archive.Memory(ctx)
	if err != nil {
		return nil, fmt.Errorf("sample service: %w", err)
	}
	if err := load(ctx, a, base); err != nil {
		return nil, fmt.Errorf("sample service: %w", err)
	}
	pictures := Pictures()
	return server.Split(server.New(a, server.Options{}), pictures, pictures), nil
}

// load puts the sample into an archive as if it had just been received.
func load(ctx context.Context, a *archive.Archive, base string) error {
	records, err := Records(base)
	if err != nil {
		return err
	}
	kinds := make(map[string]archive.Kind)
	for kind, group := range adapter.Groups {
		kinds[string(group)] = kind
	}
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	return a.Update(ctx, func(tx *archive.Tx) error {
		// Oldest first, as a service comes by its records.
		for i := len(records) - 1; i >= 0; i-- {
			r := archive.Record{
				Kind: kinds[records[i].Group], ID: records[i].ID,
				List: records[i].List, Single: records[i].Single,
				Listed: now, Fetched: now,
			}
			if err := adapter.Fill(&r, time.UTC); err != nil {
				return err
			}
			if _, err := tx.Put(&r, now); err != nil {
				return err
			}
		}
		return nil
	})
}
