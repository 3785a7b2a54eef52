package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/output"
)

// setShard reads the flag -shard.
func (s *settings) setShard(value string) error {
	i, n, ok := strings.Cut(value, "/")
	first, err1 := strconv.Atoi(i)
	all, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || first < 0 || first >= all {
		return errors.New("write it as 0/4, 1/4, 2/4 or 3/4")
	}
	s.shard = output.Shard{I: first, N: all}
	return nil
}

// rollback brings the previous site back.
func rollback(c *config.Config, stdout, stderr io.Writer) int {
	if err := output.Rollback(c.Output); err != nil {
		return complain(stderr, exitCode(context.Background(), new(generator.Report), err), err)
	}
	fmt.Fprintln(stdout, "site:     the previous one; -rollback again takes that back")
	return exitOK
}
