package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ayna/archive"
	"ayna/cli"
)

// standing is a folder with a configuration, a site and an archive, in which the
// command runs.
func standing(t *testing.T, more string) string {
	t.Helper()
	dir := t.TempDir()
	a, err := archive.Open(context.Background(), filepath.Join(dir, "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "public"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"public/index.html": "<head></head>ana sayfa",
		"site.yaml":         "base_url: https://ayna.example/haber/\narchive: archive.db\noutput: public\n" + more,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRefuses(t *testing.T) {
	plain := standing(t, "")
	keyed := standing(t, "serve: {api_key: \"${AYNA_SERVE_KEY}\"}\n")
	foreign := standing(t, "")
	if err := os.WriteFile(filepath.Join(foreign, "archive.db"), []byte("anything else, long enough to be looked at by SQLite as a file of its own"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, dir, args string
		code            int
		says            string
	}{
		{"help", plain, "-h", 0, "only\nthis machine is served, unless --open"},
		{"unknown flag", plain, "--port 1", 2, "unknown flag: --port"},
		{"an argument", plain, "public", 2, `unexpected argument "public"`},
		{"sample with a key", plain, "--sample --api-key-env X", 2, "--sample needs no key"},
		{"no configuration", plain, "--config none.yaml", 2, "none.yaml"},
		{"key not set", plain, "--api-key-env AYNA_NOT_SET", 2, "AYNA_NOT_SET is not set"},
		{"key of the configuration not set", keyed, "--addr 127.0.0.1:0", 2, "site.yaml:4: serve.api_key: ${AYNA_SERVE_KEY} is not set"},
		{"everywhere without a key", plain, "--addr 0.0.0.0:0", 2, "no API key is set"},
		{"sample everywhere", plain, "--sample --addr [::]:0", 2, "no API key is set"},
		{"no address", plain, "--addr nothing", 2, "--addr nothing: write HOST:PORT, or a port of this machine"},
		{"an address without a port", plain, "--addr ::1", 2, "--addr ::1: write HOST:PORT"},
		{"healthcheck without a server", plain, "--healthcheck --addr 127.0.0.1:1", 1, "healthcheck: "},
		{"another file than an archive", foreign, "--addr 127.0.0.1:0", 8, "archive.db"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(test.dir)
			var out strings.Builder
			if code := cli.Ayna(append([]string{"serve"}, strings.Fields(test.args)...), &out, &out); code != test.code || !strings.Contains(out.String(), test.says) {
				t.Errorf("exit %d, want %d and %q: %s", code, test.code, test.says, &out)
			}
		})
	}
}

// running is the command at work.
type running struct {
	*exec.Cmd
	base    string // of its addresses
	figures string // where they are

	mu  sync.Mutex
	log bytes.Buffer
}

func (r *running) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(b)
}

// launch starts the command; as, if it is not nil, says as whom.
func launch(t *testing.T, dir string, as func(*exec.Cmd), args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.Command("ayna", append([]string{"serve", "-v"}, args...)...)}
	r.Dir, r.Env = dir, append(os.Environ(), "AYNA_SERVE_KEY="+canary)
	r.Stderr = r
	if as != nil {
		as(r.Cmd)
	}
	out, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if r.ProcessState == nil {
			r.Process.Kill()
			r.Wait()
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if figures, found := strings.CutPrefix(lines.Text(), "metrics at "); found {
			r.figures = figures
		}
		if _, base, found := strings.Cut(lines.Text(), " at http://"); found && strings.HasSuffix(base, "/v1/") {
			r.base = "http://" + strings.TrimSuffix(base, "/v1/")
			go io.Copy(io.Discard, out)
			return r
		}
	}
	r.Wait()
	t.Fatalf("it did not start: %s", &r.log)
	return nil
}

// end sends a signal and returns the exit code.
func (r *running) end(t *testing.T, s syscall.Signal) int {
	t.Helper()
	if err := r.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	overdue := time.AfterFunc(30*time.Second, func() { r.Process.Kill() })
	defer overdue.Stop()
	r.Wait()
	return r.ProcessState.ExitCode()
}

func ask(t *testing.T, url, key, host string) (int, string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Host = host; key != "" {
		r.Header.Set("apikey", key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func TestServes(t *testing.T) {
	r := launch(t, standing(t, "source: {url: \"https://API.source.example/x\"}\n"+
		"serve: {api_key: \"${AYNA_SERVE_KEY}\", per_second: 1000, per_hour: 5, hosts: [old.example]}\n"), nil, "--addr", "127.0.0.1:0", "--open")
	tests := []struct {
		name, path, key, host string
		status                int
		body                  string
	}{
		{"site", "/", "", "", 200, "ana sayfa"},
		{"health", "/healthz", "", "", 200, `{"archive":"ok","site":"ok","status":"ok"}`},
		{"API without the key", "/v1/articles", "", "", 401, "Message"},
		{"API", "/v1/articles", canary, "", 200, "[]"},
		{"API, key in the query", "/v1/articles?apikey=" + canary, "", "", 200, "[]"},
		{"host of base_url", "/v1/articles", canary, "ayna.example", 200, "[]"},
		{"host of source.url", "/v1/articles", canary, "api.source.example:443", 200, "[]"},
		{"host of serve.hosts", "/v1/articles", canary, "old.example", 200, "[]"},
		{"another host", "/v1/articles", canary, "evil.example", 421, "Message"},
		{"a host below an allowed one", "/v1/articles", canary, "evil.old.example", 421, "Message"},
		{"quota", "/v1/articles", canary, "", 429, "Rate Limit Exceeded"},
		{"missing", "/yok", "", "", 404, "not found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if status, body := ask(t, r.base+test.path, test.key, test.host); status != test.status || !strings.Contains(body, test.body) {
				t.Errorf("%d %s, want %d %s", status, body, test.status, test.body)
			}
		})
	}
	if code := r.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit %d after SIGTERM", code)
	}
	if log := r.log.String(); strings.Contains(log, canary) || strings.Count(log, `"msg":"request"`) != len(tests) {
		t.Errorf("the log: %s", log)
	}
}

// Before the first build a page says so, and then the same server shows the site.
func TestServesTheFirstBuild(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte("base_url: https://ayna.example/\nmedia: link\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := launch(t, dir, nil, "--addr", "127.0.0.1:0")
	for path, body := range map[string]string{"/": "Bu site hazırlanıyor", "/spor/": `http-equiv="refresh"`, "/v1/articles": "there is no archive yet"} {
		if status, got := ask(t, r.base+path, "", ""); status != 503 || !strings.Contains(got, body) {
			t.Errorf("%s before: %d %s", path, status, got)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the server made files: %v, %v", entries, err)
	}
	build := exec.Command("ayna", "build", "--quiet")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for path, has := range map[string]string{"/": "<main", "/v1/articles?$top=1": `[{"Id":`} {
		status, body := ask(t, r.base+path, "", "")
		for end := time.Now().Add(30 * time.Second); status != 200 && time.Now().Before(end); status, body = ask(t, r.base+path, "", "") {
			time.Sleep(100 * time.Millisecond)
		}
		if status != 200 || !strings.Contains(body, has) {
			t.Errorf("%s after: %d %.200s", path, status, body)
		}
	}
	if code := r.end(t, syscall.SIGTERM); code != 0 || !strings.Contains(r.log.String(), "serve: there is no archive at .ayna/sample/archive.db; run ayna build\n") {
		t.Errorf("exit %d: %s", code, &r.log)
	}
}

func TestPortAlone(t *testing.T) {
	for _, addr := range []string{"0", ":0"} {
		if r := launch(t, standing(t, ""), nil, "--addr", addr); !strings.HasPrefix(r.base, "http://127.0.0.1:") {
			t.Errorf("--addr %s listens at %s, want this machine alone", addr, r.base)
		}
	}
}

func TestOpenWithMetrics(t *testing.T) {
	r := launch(t, standing(t, "serve: {metrics: \"127.0.0.1:0\"}\n"), nil, "--addr", "0.0.0.0:0", "--open")
	_, port, _ := strings.Cut(strings.TrimPrefix(r.base, "http://[::]"), ":")
	base := "http://127.0.0.1:" + port
	if status, _ := ask(t, base+"/v1/articles", "", "mirror.example"); status != 200 {
		t.Errorf("an open server refuses: %d", status)
	}
	if out, err := exec.Command("ayna", "serve", "--healthcheck", "--addr", "0.0.0.0:"+port).CombinedOutput(); err != nil {
		t.Errorf("healthcheck: %v: %s", err, out)
	}
	if status, _ := ask(t, base+"/metrics", "", ""); status != 404 {
		t.Errorf("figures for everybody: %d", status)
	}
	if status, figures := ask(t, r.figures, "", ""); status != 200 || !strings.Contains(figures, `ayna_requests_total{area="api",status="200"} 1`) {
		t.Errorf("%d %s", status, figures)
	}
	if code := r.end(t, os.Interrupt.(syscall.Signal)); code != 0 {
		t.Errorf("exit %d after an interrupt: %s", code, &r.log)
	}
}

func TestSample(t *testing.T) {
	r := launch(t, t.TempDir(), nil, "--sample", "--addr", "localhost:0")
	if status, body := ask(t, r.base+"/v1/articles?$top=1", "", ""); status != 200 || !strings.HasPrefix(body, `[{"Id":`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask(t, r.base+"/healthz", "", ""); status != 200 || body != `{"status":"ok"}` {
		t.Errorf("%d %s", status, body)
	}
	// Nobody's clients ask the sample by its source's name.
	for _, host := range []string{"sample", "akcaliman-postasi.example", "evil.example"} {
		if status, _ := ask(t, r.base+"/v1/date", "", host); status != 421 {
			t.Errorf("%s: %d", host, status)
		}
	}
	if status, body := ask(t, r.base+"//v1//date/", "", ""); status != 200 || !strings.Contains(body, "Date") {
		t.Errorf("doubled slashes: %d %s", status, body)
	}
	if code := r.end(t, syscall.SIGTERM); code != 0 {
		t.Errorf("exit %d", code)
	}
}
