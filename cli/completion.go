package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ayna/archive"
	"ayna/export"
	"ayna/record"
)

// completeArguments lets shells complete the argument of a command and the values of its flags.
// An argument FILE or DIR is one of the shell's own.
func (a *app) completeArguments(cmd *cobra.Command, s spec) {
	words := strings.Fields(s.use)
	if len(words) < 2 || words[1] != "FILE" && words[1] != "DIR" {
		cmd.ValidArgsFunction = cobra.FixedCompletions(s.choices, cobra.ShellCompDirectiveNoFileComp)
	}
	if s.slashed {
		cmd.ValidArgsFunction = cobra.FixedCompletions(s.choices, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	}
	values := map[string]cobra.CompletionFunc{
		"path":    a.completeFolders,
		"folders": cobra.NoFileCompletions,
		"format":  cobra.FixedCompletions([]string{recordLines, redirects}, cobra.ShellCompDirectiveNoFileComp),
		"server":  cobra.FixedCompletions(texts(export.Servers), cobra.ShellCompDirectiveNoFileComp),
	}
	for _, flag := range []string{"month", "from", "to", "writer", "search", "budget", "jobs", "allow-delete", "title", "base-url", "language", "timezone", "key-env"} {
		values[flag] = cobra.NoFileCompletions
	}
	for flag, complete := range values {
		if s.takes(flag) {
			_ = cmd.RegisterFlagCompletionFunc(flag, complete) // the command has it
		}
	}
}

func texts[T ~string](words []T) (list []string) {
	for _, word := range words {
		list = append(list, string(word))
	}
	return list
}

// kindChoices begin the argument of forget.
func kindChoices() (list []string) {
	for _, kind := range record.Kinds {
		list = append(list, string(kind)+"/")
	}
	return append(list, string(record.Comment)+"/")
}

// completeFolders completes folders of the archive; without an archive there are none.
func (a *app) completeFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	ctx := context.Background()
	found := make(map[string]bool)
	if a.loadConfig() == nil {
		if from, err := archive.OpenReadOnly(ctx, a.config.Archive); err == nil {
			defer from.Close()
			_, _ = from.Catalog.CountWanted(ctx, func(paths []string) bool {
				for _, path := range paths {
					found[printable(path)] = path != ""
				}
				return false
			})
		}
	}
	maps.DeleteFunc(found, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(found)), cobra.ShellCompDirectiveNoFileComp
}
