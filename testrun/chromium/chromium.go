// Package chromium starts Chromium for a test, and returns the context that steers it
// ([Browser]).
package chromium

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ayna/testrun"
)

// Patience is how long anything may take on a machine on which twenty processes want
// each processor.
const Patience = 3 * time.Minute

// Stop ends the browser, if there is one. A TestMain calls it after all tests.
func Stop() { stop() }

var (
	stop = func() {}

	started = sync.OnceValues(start)
)

// start prefers the shell without windows, which takes half the processor time.
func start() (context.Context, error) {
	path, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		path, err = exec.LookPath("chromium")
	}
	if err != nil {
		return nil, nil
	}
	profile, err := os.MkdirTemp("", "ayna-chromium-")
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile),
		chromedp.WindowSize(1280, 1600), chromedp.WSURLReadTimeout(Patience),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("no-proxy-server", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), // no page may reach further
	)
	allocated, stopAll := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stopFirst := chromedp.NewContext(allocated)
	stop = func() {
		stopFirst()
		stopAll()
		os.RemoveAll(profile)
	}
	return ctx, chromedp.Do(ctx)
}

// Browser returns the one browser of a package's tests, and starts it first. It skips the
// test in short and plain runs, and where Chromium is not installed.
func Browser(t testing.TB) context.Context {
	t.Helper()
	testrun.NeedsSlow(t, "opens pages in Chromium")
	browser, err := started()
	if err != nil {
		t.Fatal(err)
	}
	if browser == nil {
		t.Skip("Chromium is not installed (apt-get install chromium-headless-shell)")
	}
	return browser
}
