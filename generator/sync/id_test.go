package sync_test

import (
	"testing"
	"testing/synctest"

	"ayna/client/clienttest"
)

// oddIDs are ids that an address has to escape, or that a careless program trims.
var oddIDs = []string{
	"49100001", "49100001 ", " 49100001", "\t49100001\n", " ", "a/b", "/a", "a//b", "a/../b", "../x", "...", ". ", "a?b=c#d", "100%", "%2F",
	"a+b", "a;b", "şölen-İ", "a\x00b", `"quoted"`, "a\\b", "https://haber.example/1",
}

// Ids are opaque: they are kept and asked for byte for byte.
func TestD64OpaqueIDs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, clienttest.Options{Items: 6})
		for _, group := range []string{"articles", "writers"} {
			for _, id := range oddIDs {
				n.Add(clienttest.Record{Group: group, ID: id, Title: "Kimlik", Path: "/spor/", Text: "<p>Metin</p>"})
			}
		}
		if report := n.mustRun(t); len(report.Failed) > 0 {
			t.Errorf("failed: %+v", report.Failed)
		}
		n.checkComplete(t)
	})
}
