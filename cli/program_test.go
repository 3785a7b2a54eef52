package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// A program is identified by its commit or release, with its settings and modules, and
// otherwise by the bytes of its executable.
func TestIdentify(t *testing.T) {
	from := func(version, sum, revision, modified string) *debug.BuildInfo {
		info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "ayna", Version: version, Sum: sum}}
		if revision != "" {
			info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
		}
		return info
	}
	otherGo := from("v1.0.0", "", "c0ffee", "false")
	otherGo.GoVersion = "go1.27.0"
	executables := make([]string, 2)
	for i := range executables {
		executables[i] = filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(executables[i], []byte{byte(i)}, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	seen := make(map[string]string)
	for name, test := range map[string]struct {
		info   *debug.BuildInfo
		hashed bool // the executable is
	}{
		"commit":               {from("v1.0.0", "", "c0ffee", "false"), false},
		"another commit":       {from("v1.0.0", "", "decade", "false"), false},
		"another Go":           {otherGo, false},
		"release":              {from("v1.0.0", "h1:Ct8j47Q=", "", ""), false},
		"modified tree":        {from("v1.0.0+dirty", "", "c0ffee", "true"), true},
		"go run":               {from("(devel)", "", "", ""), true},
		"no build information": {nil, true},
	} {
		var digests []string
		for _, executable := range executables {
			digest, err := identify(test.info, executable)
			if err != nil {
				t.Fatal(err)
			}
			digests = append(digests, digest)
		}
		if hashed := digests[0] != digests[1]; hashed != test.hashed {
			t.Errorf("%s: the executable is hashed: %v", name, hashed)
		}
		if other, ok := seen[digests[0]]; ok && !test.hashed {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[digests[0]] = name
	}
}
