package sync

import (
	"context"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/generator/wire"
)

// Forget removes a record from the archive for good, with its revisions and pictures and
// every mention of it in other records. Later runs do not store it again. zone is
// [Options.Location].
func Forget(ctx context.Context, a *archive.Archive, kind archive.Kind, id string, zone *time.Location) error {
	var files []string
	err := a.Update(ctx, func(tx *archive.Tx) (err error) {
		var forgotten archive.Forgotten
		if forgotten, files, err = tx.Forget(kind, id); err != nil {
			return err
		}
		redaction := wire.NewRedaction(forgotten)
		for _, text := range redaction.Texts() {
			if err := redact(tx, text, redaction, zone); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget %s %s: %w", kind, id, err)
	}
	if err := a.Scrub(ctx, files); err != nil {
		return fmt.Errorf("forget %s %s: %w", kind, id, err)
	}
	return nil
}

// redact removes the mentions from the records whose JSON contains text.
func redact(tx *archive.Tx, text string, redaction wire.Redaction, zone *time.Location) error {
	mentioning, err := tx.Redact(text, redaction.Apply)
	if err != nil {
		return err
	}
	for _, record := range mentioning {
		if err := wire.Fill(record, zone); err != nil {
			return err
		}
		if err := tx.Replace(record); err != nil {
			return err
		}
	}
	return nil
}
