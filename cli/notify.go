package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/source/get"
)

// pingTimeout limits a notification: it must not delay a run, and never fails it.
const pingTimeout = 2 * time.Second

// healthy are the exit codes that a monitor counts as success: the site is up to date, or
// it will be without anybody's help.
var healthy = []int{exitOK, exitPartial, exitBudget}

// notifyStart announces a run to the address in notify.url.
func (a *app) notifyStart(ctx context.Context) {
	if address := a.config.Notify.URL; a.spec.watched && address != "" && !hasPlaceholder(address) {
		a.ping(ctx, withPath(address, "start"), "")
	}
}

// notifyEnd reports the exit code of a run and its output to the address in notify.url. A
// run that found another one at work reports nothing.
func (a *app) notifyEnd(ctx context.Context, code int, summary string) {
	address := a.config.Notify.URL
	if !a.spec.watched || code == exitLocked || address == "" {
		return
	}
	ctx = context.WithoutCancel(ctx) // an interrupted run reports, too
	status, message := "up", "OK"
	if !slices.Contains(healthy, code) {
		status, message = "down", fmt.Sprintf("exit code %d", code)
	}
	switch {
	case hasPlaceholder(address):
		a.ping(ctx, strings.NewReplacer(
			"{status}", status, "{code}", strconv.Itoa(code), "{message}", url.QueryEscape(message),
		).Replace(address), "")
	case status == "up":
		a.ping(ctx, address, summary)
	default:
		a.ping(ctx, withPath(address, strconv.Itoa(code)), summary)
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
	if err := get.Post(ctx, address, a.config.Source.UserAgent, "text/plain; charset=utf-8", text); err != nil {
		fmt.Fprintf(a.stderr, "%s: notify.url: %s; the run itself is not affected\n", a.name, printable(err.Error()))
	}
}
