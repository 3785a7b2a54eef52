package site_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"ayna/generator/site"
)

func TestClaim(t *testing.T) {
	var names site.Names
	names.Take("spor/a-1.html")
	names.Take("a.b/c")
	tests := []struct{ name, wanted, subject, want string }{
		{"free", "spor/b-2.html", "article/2", "spor/b-2.html"},
		{"restored before", "spor/a-1.html", "article/1", "spor/a-1-%s.html"},
		{"given out before", "spor/b-2.html", "column/2", "spor/b-2-%s.html"},
		{"other case", "Spor/B-2.html", "x", "Spor/B-2-%s.html"},
		{"directory", "a.b/c", "x", "a.b/c-%s"},
		{"twice of one subject", "spor/b-2.html", "column/2", "spor/b-2-%s.html"},
	}
	given := map[string]bool{"spor/a-1.html": true, "a.b/c": true}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := names.Claim(test.wanted, test.subject)
			if given[strings.ToLower(got)] {
				t.Errorf("%s was given out before", got)
			}
			given[strings.ToLower(got)] = true
			before, after, suffixed := strings.Cut(test.want, "%s")
			if !suffixed && got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if suffixed && (!strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) || len(got) <= len(test.want)-2) {
				t.Errorf("got %q, want the shape %q", got, test.want)
			}
			if path.Dir(got) != path.Dir(test.wanted) || path.Ext(got) != path.Ext(test.wanted) {
				t.Errorf("%q moved to %q", test.wanted, got)
			}
		})
	}
}

// TestClaimDependsOnSubjectAlone: of two that collide, the later one's name
// does not depend on how many there were before.
func TestClaimDependsOnSubjectAlone(t *testing.T) {
	var one, two site.Names
	one.Take("a.html")
	two.Take("a.html")
	two.Claim("a.html", "article/1")
	if a, b := one.Claim("a.html", "article/2"), two.Claim("a.html", "article/2"); a != b {
		t.Errorf("%s and %s", a, b)
	}
}

func TestClaimNeverGivesOneTwice(t *testing.T) {
	var names site.Names
	given := make(map[string]bool)
	for i := range 2000 {
		// Many collisions, also of the subject.
		address := names.Claim(fmt.Sprintf("d/%d.html", i%3), fmt.Sprint(i%500))
		if given[address] {
			t.Fatalf("%s was given out twice", address)
		}
		given[address] = true
	}
}
