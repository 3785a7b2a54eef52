package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/client"
	"ayna/generator/feed"
)

// Limits of a notification: it must not delay a run, and never fails it.
const (
	pingTimeout    = 2 * time.Second
	commandTimeout = time.Minute
)

// healthy are the exit codes that a monitor counts as success: the site is up to date, or
// it will be without anybody's help.
var healthy = []int{exitOK, exitPartial, exitBudget}

// notifyStart announces a run to the address in notify.url.
func (a *app) notifyStart(ctx context.Context) {
	if address := a.config.Notify.URL; a.spec.watched && address != "" && !hasPlaceholder(address) {
		a.ping(ctx, withPath(address, "start"), "")
	}
}

// notifyEnd reports the exit code of a run and its output to address and command. A run
// that found another one at work reports nothing.
func (a *app) notifyEnd(ctx context.Context, code int, summary string) {
	if !a.spec.watched || code == exitLocked {
		return
	}
	limit := commandTimeout
	if ctx.Err() != nil { // the run was interrupted, and who ended it waits
		ctx, limit = context.WithoutCancel(ctx), pingTimeout
	}
	status, message := "up", "OK"
	if !slices.Contains(healthy, code) {
		status, message = "down", fmt.Sprintf("exit code %d", code)
	}
	n := a.config.Notify
	switch {
	case n.URL == "":
	case hasPlaceholder(n.URL):
		a.ping(ctx, strings.NewReplacer(
			"{status}", status, "{code}", strconv.Itoa(code), "{message}", url.QueryEscape(message),
		).Replace(n.URL), "")
	case status == "up":
		a.ping(ctx, n.URL, summary)
	default:
		a.ping(ctx, withPath(n.URL, strconv.Itoa(code)), summary)
	}
	if len(n.Command) > 0 {
		a.runNotifyCommand(ctx, limit, n.Command, code, status, summary)
	}
}

// hasPlaceholder reports whether an address says itself where the result belongs, as
// that of Uptime Kuma: https://…/api/push/KEY?status={status}&msg={message}.
func hasPlaceholder(address string) bool {
	return strings.Contains(address, "{status}") || strings.Contains(address, "{code}")
}

// withPath adds a segment to the path of an address.
func withPath(address, segment string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address // which package config has checked
	}
	return u.JoinPath(segment).String()
}

// ping sends a text to an address.
func (a *app) ping(ctx context.Context, address, text string) {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	a.warnOfNotification("notify.url", feed.Post(ctx, address, "text/plain; charset=utf-8", a.config.Source.UserAgent, text))
}

// runNotifyCommand runs the command of notify.command. The summary is its standard
// input.
func (a *app) runNotifyCommand(ctx context.Context, limit time.Duration, command []string, code int, status, summary string) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	endWithGroup(c)
	c.Stdin, c.WaitDelay = strings.NewReader(summary), time.Second
	c.Env = append(os.Environ(), fmt.Sprintf("AYNA_EXIT_CODE=%d", code), "AYNA_STATUS="+status)
	output, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(output[:min(len(output), 500)]))
	}
	a.warnOfNotification("notify.command", err)
}

func (a *app) warnOfNotification(key string, err error) {
	if err != nil {
		keys := client.NewKeyGuard(string(a.config.Source.APIKey), string(a.config.Serve.APIKey))
		fmt.Fprintf(a.stderr, "%s: %s: %s; the run itself is not affected\n", a.name, key, printable(keys.Hide(err.Error())))
	}
}
