package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"ayna/generator/config"
)

var schemaSpec = spec{
	use: "schema", short: "Print the JSON schema of site.yaml", example: "  ayna schema >" + config.SchemaFile,
	long: "Print the JSON schema of site.yaml, by which editors complete and check it. ayna init writes it beside\nsite.yaml; a newer program may know more keys.",
	run: func(ctx context.Context, a *app, _ string) int {
		schema, err := config.Schema()
		if err != nil {
			return a.fail(ctx, err)
		}
		if _, err := a.stdout.Write(schema); err != nil {
			return a.fail(ctx, fmt.Errorf("print the schema: %w", err))
		}
		return exitOK
	},
}

// writeSchema writes the schema beside a new configuration, unless a file of that name is there.
func (a *app) writeSchema() error {
	schema, err := config.Schema()
	if err != nil {
		return err
	}
	name := filepath.Join(filepath.Dir(a.configFile), config.SchemaFile)
	switch err := writeNew(name, schema); {
	case errors.Is(err, fs.ErrExist):
	case err != nil:
		return err
	default:
		fmt.Fprintf(a.stdout, "written:  %s\n", name)
	}
	return nil
}
