package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ayna/archive"
	"ayna/cli"
	"ayna/testrun"
)

// TestMain lets tests and scripts start the programs under their own names. AHEAD is how far
// the clock of ayna is ahead.
func TestMain(m *testing.M) {
	testrun.InMemory()
	testrun.Offline()
	testscript.Main(tests{m}, map[string]func(){
		"build": func() { os.Exit(cli.Build(os.Args[1:], os.Stdout, os.Stderr)) },
		"ayna": func() {
			ahead, _ := time.ParseDuration(os.Getenv("AHEAD"))
			now := func() time.Time { return time.Now().Add(ahead) }
			os.Exit(cli.Surroundings{Now: now, Hosts: filmHosts}.Ayna(os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// tests removes what was made for several of them.
type tests struct{ *testing.M }

// Run is not called in the programs that tests start.
func (t tests) Run() int {
	testrun.SpendMemory()
	defer func() { os.RemoveAll(shared) }()
	return t.M.Run()
}

var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"run":      run,
	"source":   startSource,
	"secure":   secure,
	"sametree": sameTree,
	"sameraw":  sameRaw,
	"mirror":   putMirror,
	"lock":     lock,
	"monitor":  startMonitor,
	"damage":   damage,
	"unzip":    unzip,
	"links":    links,
}

// condition adds conditions to scripts: [terminal], this machine has pseudo-terminals, and
// [slow], the run may take minutes.
func condition(name string) (bool, error) {
	switch name {
	case "terminal":
		_, err := os.Stat("/dev/ptmx")
		return err == nil, nil
	case "slow":
		return testrun.Slow(), nil
	}
	return false, fmt.Errorf("unknown condition %s", name)
}

// runScripts runs scripts one after the other, since run changes the working directory and
// the environment of this process.
func runScripts(t *testing.T, p testscript.Params) {
	p.Cmds, p.Condition = scriptCommands, condition
	testscript.RunT(serial{t}, p)
}

// serial runs scripts one after the other.
type serial struct{ *testing.T }

func (serial) Parallel() {}

func (t serial) Run(name string, script func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { script(serial{t}) })
}

func (serial) Verbose() bool { return testing.Verbose() }

func TestScripts(t *testing.T) {
	scripts := testscript.Params{Dir: "testdata"}
	if testrun.Short() {
		scripts.Dir, scripts.Files = "", []string{"testdata/gone.txt"}
	}
	runScripts(t, scripts)
}

// TestScriptsOfManyRuns has the scripts that build large sites, or wait.
func TestScriptsOfManyRuns(t *testing.T) {
	testrun.NeedsSlow(t, "builds many sites")
	runScripts(t, testscript.Params{Dir: "testdata/slow"})
}

// variables are those that a script's env may set for run.
var variables = []string{
	"ADDRESS", "AYNA_API_KEY", "AYNA_SERVE_KEY", "BASE", "CREDENTIALS_DIRECTORY", "DATABASE", "MISSING", "PATH", "PING_URL", "PORT", "SOURCE", "TMPDIR",
}

// run runs a command of ayna in this process: run [CODE] COMMAND [ARGUMENT ...]. CODE is the
// exit code that it must have, 0 by default.
func run(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if err == nil {
		args = args[1:]
	}
	here, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(here)) }()
	for _, name := range variables {
		before, was := os.LookupEnv(name)
		ts.Check(os.Setenv(name, ts.Getenv(name)))
		defer func() {
			if os.Unsetenv(name); was {
				os.Setenv(name, before)
			}
		}()
	}
	if code := (cli.Surroundings{Hosts: filmHosts}).Ayna(args, ts.Stdout(), ts.Stderr()); neg && code == 0 || !neg && code != want {
		ts.Fatalf("exit code %d", code)
	}
}

// sameTree compares two folders byte for byte: sametree A B [A-only B-only …].
func sameTree(ts *testscript.TestScript, neg bool, args []string) {
	a, b := readTree(ts, args[0]), readTree(ts, args[1])
	different := 0
	for name, content := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(content, other) {
			ts.Logf("%s differs", name)
			different++
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			ts.Logf("%s is in %s only", name, args[1])
			different++
		}
	}
	if (different == 0) == neg {
		ts.Fatalf("%d of %d files differ", different, len(a))
	}
}

func readTree(ts *testscript.TestScript, dir string) map[string][]byte {
	tree := make(map[string][]byte)
	fsys := os.DirFS(ts.MkAbs(dir))
	ts.Check(fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		tree[name] = content
		return err
	}))
	if len(tree) == 0 {
		ts.Fatalf("%s is empty", dir)
	}
	return tree
}

// sameRaw compares the JSON of every record of two archives.
func sameRaw(ts *testscript.TestScript, neg bool, args []string) {
	a, b := readRaw(ts, args[0]), readRaw(ts, args[1])
	if len(a) == 0 || len(a) != len(b) {
		ts.Fatalf("%d and %d records", len(a), len(b))
	}
	for key, raw := range a {
		if b[key] != raw {
			ts.Fatalf("%s differs:\n%s\n%s", key, raw, b[key])
		}
	}
}

func readRaw(ts *testscript.TestScript, name string) map[string]string {
	ctx := context.Background()
	a, err := archive.OpenReadOnly(ctx, ts.MkAbs(name))
	ts.Check(err)
	defer a.Close()
	records := make(map[string]string)
	for light, err := range a.Catalog.Scan(ctx) {
		ts.Check(err)
		r, err := a.Records.Get(ctx, light.Kind, light.ID)
		ts.Check(err)
		records[string(r.Kind)+"/"+r.ID] = string(r.List) + "\n" + string(r.Single)
	}
	return records
}

// lock holds an archive as another run would.
func lock(ts *testscript.TestScript, neg bool, args []string) {
	name := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	a, err := archive.Open(context.Background(), name)
	ts.Check(err)
	ts.Defer(func() { a.Close() })
}
