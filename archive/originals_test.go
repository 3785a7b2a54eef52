package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
)

// original is one of which no record was made.
func original(typ, id, data string) archive.Original {
	return archive.Original{Type: typ, ID: id, Part: "list", Operation: "/wp/v2/" + typ, Fetched: noon, Data: []byte(data)}
}

// of is an original of which a writer was made.
func of(writer string, o archive.Original) archive.Original {
	o.Kind, o.Record = record.Writer, writer
	return o
}

// putOriginals stores originals, and returns the ids of those that were written.
func putOriginals(t *testing.T, a *archive.Archive, originals ...archive.Original) (written []string) {
	t.Helper()
	update(t, a, func(tx *archive.Tx) error {
		for _, o := range originals {
			changed, err := tx.Originals.Put(o)
			if err != nil {
				return err
			}
			if changed {
				written = append(written, o.ID)
			}
		}
		return nil
	})
	return written
}

// allOriginals returns the ids and data of a type and part, in their order.
func allOriginals(t *testing.T, a *archive.Archive, typ, part string) (list []string) {
	t.Helper()
	for o, err := range a.Originals.All(ctx, typ, part) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o.ID+" "+string(o.Data))
	}
	return list
}

// Each original is given back as it was stored, alone, among any number, or in the order of
// ids. What is stored already is not written again.
func TestOriginals(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		const n = 120
		var stored []archive.Original
		var ids, want []string
		for i := range n {
			o := original("tags", fmt.Sprint(1000+i), fmt.Sprintf(`{"id":%d, "name":"\u011f"}`, i))
			stored, ids, want = append(stored, o), append(ids, o.ID, "none"+o.ID), append(want, o.ID+" "+string(o.Data))
		}
		stored = append(stored, original("users", "1000", `[]`))
		single := original("tags", "1000", `{"single":1}`)
		single.Part = "single"
		stored = append(stored, single)
		slices.Reverse(stored)
		if written := putOriginals(t, a, stored...); len(written) != len(stored) {
			t.Errorf("%d are written, want %d", len(written), len(stored))
		}
		if written := putOriginals(t, a, stored...); len(written) != 0 {
			t.Errorf("written again: %q", written)
		}
		if got := allOriginals(t, a, "tags", "list"); !slices.Equal(got, want) {
			t.Errorf("all are %q", got)
		}
		found, err := a.Originals.Get(ctx, "tags", "list", ids)
		if err != nil || len(found) != n {
			t.Errorf("%d found, %v, want %d", len(found), err, n)
		}
		if o := found["1007"]; !reflect.DeepEqual(o, original("tags", "1007", `{"id":7, "name":"\u011f"}`)) {
			t.Errorf("got %+v", o)
		}
		if found, err := a.Originals.Get(ctx, "tags", "list", nil); err != nil || len(found) != 0 {
			t.Errorf("of no ids: %v, %v", found, err)
		}

		update(t, a, func(tx *archive.Tx) error { return tx.Originals.Delete("tags", "1000") })
		if got := append(allOriginals(t, a, "tags", "list"), allOriginals(t, a, "tags", "single")...); !slices.Equal(got, want[1:]) {
			t.Errorf("after one was deleted: %q", got)
		}
	})
}

// An original is written again if its bytes or its record differ.
func TestOriginalChanges(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		first := original("users", "3", `{"name":"Ayşe"}`)
		same := first
		same.Operation, same.Fetched = "/wp/v2/users?page=2", noon.AddDate(0, 0, 1)
		spaced, ofRecord := of("user\x003", first), of("user\x003", first)
		spaced.Data = []byte(`{"name": "Ayşe"}`)
		for i, step := range []struct {
			put     archive.Original
			written bool
		}{{first, true}, {same, false}, {ofRecord, true}, {ofRecord, false}, {spaced, true}, {spaced, false}, {first, true}} {
			if written := putOriginals(t, a, step.put); len(written) > 0 != step.written {
				t.Errorf("step %d: written %t, want %t", i, len(written) > 0, step.written)
			}
			got, err := a.Originals.Get(ctx, "users", "list", []string{"3"})
			if err != nil || string(got["3"].Data) != string(step.put.Data) || got["3"].Kind != step.put.Kind || !got["3"].Fetched.Equal(noon) {
				t.Errorf("step %d: %+v, %v", i, got["3"], err)
			}
		}
	})
}

// Ids, types and data that no text of a database can hold are kept and found.
func TestHostileOriginals(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		for _, text := range []string{"", "\x00", "\xff", "a\x00b", "'", `\`, "ı", strings.Repeat("x", 10_000), noise(20_000)} {
			o := original("t"+text, text, "{\"a\":\"\xff\\u0000\"}")
			putOriginals(t, a, o)
			if written := putOriginals(t, a, o); len(written) != 0 {
				t.Errorf("%.20q is written again", text)
			}
			got, err := a.Originals.Get(ctx, o.Type, "list", []string{text})
			if err != nil || !bytes.Equal(got[text].Data, o.Data) {
				t.Errorf("%.20q: %.100v, %v", text, got, err)
			}
			if got := allOriginals(t, a, o.Type, "list"); len(got) != 1 {
				t.Errorf("%.20q: all are %.100q", text, got)
			}
		}
		for _, data := range []string{"", " ", `{"a":`, "<html>"} {
			if err := a.Update(ctx, func(tx *archive.Tx) error {
				_, err := tx.Originals.Put(original("users", "3", data))
				return err
			}); err == nil || !strings.Contains(err.Error(), "users 3: it is not JSON") {
				t.Errorf("%q: %v", data, err)
			}
		}
	})
}

// An original has at most 64 MiB.
func TestLargeOriginal(t *testing.T) {
	testrun.NotShort(t)
	a := open(t)
	largest := `"` + strings.Repeat("x", 64<<20-2) + `"`
	putOriginals(t, a, original("posts", "1", largest))
	if got, err := a.Originals.Get(ctx, "posts", "list", []string{"1"}); err != nil || string(got["1"].Data) != largest {
		t.Errorf("%d bytes, %v", len(got["1"].Data), err)
	}
	if err := a.Update(ctx, func(tx *archive.Tx) error {
		_, err := tx.Originals.Put(original("posts", "1", largest+" "))
		return err
	}); err == nil || !strings.Contains(err.Error(), "at most 67108864") {
		t.Errorf("a larger one: %v", err)
	}
}

// packed compresses as ayna does.
func packed(t *testing.T, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(data, nil)
}

// damageOriginals replaces the data of originals of a type behind the archive's back.
func damageOriginals(t *testing.T, a *archive.Archive, typ string, data []byte) {
	t.Helper()
	const statement = `UPDATE original SET data = %s WHERE type = '%s'`
	if err := a.ExecForTest(fmt.Sprintf(statement, fmt.Sprintf("x'%x'", data), typ), fmt.Sprintf(statement, fmt.Sprintf(`'\x%x'`, data), typ)); err != nil {
		t.Fatal(err)
	}
}

// A damaged original is found by the check, named with its record, and removed; others stay.
// Until then nothing of it is given out, and the same one, stored again, makes it whole.
func TestDamagedOriginals(t *testing.T) {
	const data = `{"name":"Ayşe", "slug":"ayse", "link":"https://h.example/yazar/ayse/"}`
	whole := packed(t, []byte(data))
	damages := map[string][]byte{
		"empty":      {},
		"no zstd":    []byte(data),
		"truncated":  whole[:len(whole)-1],
		"longer":     append(slices.Clone(whole), 1),
		"no JSON":    packed(t, []byte(data[1:])),
		"a bomb":     packed(t, bytes.Repeat([]byte(" "), 64<<20+1)),
		"many bombs": bytes.Repeat(packed(t, bytes.Repeat([]byte(" "), 40<<20)), 9),
	}
	for _, at := range []int{0, 4, 9, len(whole) / 2, len(whole) - 1} {
		flipped := slices.Clone(whole)
		flipped[at] ^= 4
		damages[fmt.Sprintf("bit of byte %d", at)] = flipped
	}
	bothKinds(t, func(t *testing.T, a *archive.Archive) {
		checked(t, a)
		named := of("user-3", original("users", "3", data))
		putOriginals(t, a, named, original("tags", "7", data), original("categories", "1", data))
		for name, damaged := range damages {
			damageOriginals(t, a, "users", damaged)
			damageOriginals(t, a, "tags", damaged)
			lines, flaws := flawsOf(t, a)
			want := []string{ // in the order of types
				"the original tags 7 (list) is damaged; it is removed, and the next run brings it again",
				"writer user-3: the original users 3 (list) is damaged; it is removed, and the next run brings it again",
			}
			if !slices.Equal(lines, want) {
				t.Fatalf("%s: flaws %q, want %q", name, lines, want)
			}
			if got := allOriginals(t, a, "users", "list"); len(got) > 0 && name != "no JSON" {
				t.Errorf("%s: given out: %.200q", name, got)
			}
			if written := putOriginals(t, a, named); len(written) != 1 {
				t.Errorf("%s: not stored again", name)
			}
			if err := a.Mend(ctx, flaws[:1]); err != nil {
				t.Fatal(err)
			}
			if lines, _ := flawsOf(t, a); len(lines) > 0 {
				t.Errorf("%s: after mending %q", name, lines)
			}
			if got, others := allOriginals(t, a, "tags", "list"), allOriginals(t, a, "categories", "list"); len(got) != 0 || len(others) != 1 {
				t.Errorf("%s: after mending there are the tags %q and the categories %q", name, got, others)
			}
			putOriginals(t, a, original("tags", "7", data))
		}
	})
}

// Of a forgotten record both parts of its originals go, and others lose what mentions it.
// Damaged ones go, since nobody knows what they mention.
func TestForgetOriginals(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		put(t, a, *short(record.Writer, "user-3"), noon)
		single := of("user-3", original("users", "3", `{"name":"Ayşe"}`))
		single.Part = "single"
		secret := of("user-3", original("users", "3", `{"name":"`+noise(500)+`"}`))
		mention := original("tags", "8", `{"about":"gizli `+noise(600)+`"}`)
		putOriginals(t, a, secret, single,
			of("user-4", original("users", "4", `{"name":"Işık"}`)), original("users", "user-3", `{"of":"no record"}`),
			original("tags", "7", `{ "name":"kar" }`), mention, original("damaged", "9", `{"name":"x"}`))
		damageOriginals(t, a, "damaged", []byte("gizli"))
		before := packed(t, mention.Data)
		if isFile(a) && !fileHolds(t, a, before) {
			t.Fatal("the archive does not hold what is to be erased")
		}
		update(t, a, func(tx *archive.Tx) error { return tx.Forget(record.Writer, "user-3", false) })
		if err := a.Purge(ctx, opened{}, func(*record.Record) error { return nil }); err != nil {
			t.Fatal(err)
		}
		for typ, want := range map[string][]string{
			"users": {`4 {"name":"Işık"}`, `user-3 {"of":"no record"}`},
			"tags":  {`7 { "name":"kar" }`, `8 {"about":"açık ` + noise(600) + `"}`},
		} {
			if got := append(allOriginals(t, a, typ, "list"), allOriginals(t, a, typ, "single")...); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", typ, got, want)
			}
		}
		if n := a.CountForTest(t, "original"); n != 4 {
			t.Errorf("%d rows are left, want 4", n)
		}
		for what, erased := range map[string][]byte{"a mention": before, "the record": packed(t, secret.Data)} {
			if isFile(a) && fileHolds(t, a, erased) {
				t.Errorf("the file still holds %s", what)
			}
		}
	})
}

// isFile reports whether an archive is a file.
func isFile(a *archive.Archive) bool {
	_, err := os.Stat(a.Name())
	return err == nil
}

// fileHolds reports whether the file of an archive, or its log, holds some bytes.
func fileHolds(t *testing.T, a *archive.Archive, data []byte) bool {
	t.Helper()
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(a.Name() + end)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if bytes.Contains(content, data) {
			return true
		}
	}
	return false
}
