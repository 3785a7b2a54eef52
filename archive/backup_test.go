package archive_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"ayna/archive"
)

// filled returns an archive file with records and a picture.
func filled(t *testing.T, records int) (a *archive.Archive, name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	store := func(tx *archive.Tx) error {
		for i := range records {
			if _, err := tx.Put(short(archive.Article, fmt.Sprint(i)), time.Unix(1e9, 0)); err != nil {
				return err
			}
		}
		return tx.PutMedia(archive.Media{URL: "https://pictures.example/a.jpg", Name: "a.jpg", Type: "image/jpeg", Bytes: 5, Fetched: time.Unix(1e9, 0)})
	}
	if err := a.Update(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(a.MediaDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.MediaDir(), "a.jpg"), []byte("resim"), 0o644); err != nil {
		t.Fatal(err)
	}
	return a, name
}

// short returns a record with little content.
func short(kind archive.Kind, id string) *archive.Record {
	return &archive.Record{Kind: kind, ID: id, Title: "Haber", Listed: time.Unix(1e9, 0), List: []byte(`{"Title":"Haber","Text":"Zeytin"}`)}
}

// namesIn returns the names in a folder.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// L29: a backup made while a process writes is of one moment, and restores.
func TestL29BackupAndRestore(t *testing.T) {
	t.Parallel()
	const records = 200
	a, _ := filled(t, records)
	writing, stop := context.WithCancel(t.Context())
	began, wrote := make(chan bool), make(chan bool)
	go func() { // pairs of records, in one transaction each
		defer close(wrote)
		for n := 0; writing.Err() == nil; n++ {
			if n == 1 {
				close(began)
			}
			a.Update(context.Background(), func(tx *archive.Tx) error {
				for _, part := range []string{"a", "b"} {
					if _, err := tx.Put(short(archive.Video, fmt.Sprint(n, part)), time.Unix(1e9, 0)); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}()
	<-began
	dir := t.TempDir()
	file := filepath.Join(dir, "ayna.tar.zst")
	// A killed backup has left this.
	if err := os.MkdirAll(filepath.Join(dir, ".ayna.tar.zst.part"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".ayna.tar.zst.part", "archive.db"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	copied, err := a.Backup(t.Context(), file)
	stop()
	<-wrote
	if err != nil || copied.Pictures != 1 || copied.Missing != 0 {
		t.Fatalf("%+v, %v", copied, err)
	}
	if names := namesIn(t, dir); len(names) != 1 {
		t.Errorf("beside the backup: %q", names)
	}

	to := filepath.Join(t.TempDir(), "new", "archive.db")
	restore := func(name string) (archive.Copied, error) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		return archive.Restore(t.Context(), name, f)
	}
	if copied, err := restore(to); err != nil || copied.Pictures != 1 {
		t.Fatalf("%+v, %v", copied, err)
	}
	if _, err := restore(to); !errors.Is(err, archive.ErrExists) {
		t.Errorf("over an archive: %v", err)
	}
	b, err := archive.Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	counts, _, err := b.Counts(t.Context(), nil)
	if err != nil || counts[archive.Article] != records || counts[archive.Video]%2 != 0 {
		t.Errorf("restored: %v, %v", counts, err)
	}
	if content, err := os.ReadFile(filepath.Join(b.MediaDir(), "a.jpg")); err != nil || string(content) != "resim" {
		t.Errorf("the picture: %q, %v", content, err)
	}
}

// D66: a backup that is cut short, changed or made by an attacker is refused, and leaves
// no archive behind and no file elsewhere.
func TestD66DamagedBackups(t *testing.T) {
	t.Parallel()
	a, _ := filled(t, 20)
	file := filepath.Join(t.TempDir(), "b")
	if _, err := a.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	packed := func(files ...tar.Header) []byte {
		var b bytes.Buffer
		compressed, _ := zstd.NewWriter(&b)
		out := tar.NewWriter(compressed)
		for _, header := range files {
			header.Mode = 0o644
			if header.Typeflag == 0 {
				header.Size = 4
			}
			out.WriteHeader(&header)
			if header.Size > 0 {
				out.Write([]byte("kötü")[:4])
			}
		}
		out.Close()
		compressed.Close()
		return b.Bytes()
	}
	cases := map[string][]byte{
		"empty":            nil,
		"text":             []byte("Bu bir yedek değil."),
		"without database": packed(),
		"database broken":  packed(tar.Header{Name: "archive.db"}),
		"outside":          packed(tar.Header{Name: "archive.db"}, tar.Header{Name: "media/../../x"}),
		"absolute":         packed(tar.Header{Name: "/archive.db"}),
		"hidden":           packed(tar.Header{Name: "archive.db"}, tar.Header{Name: "media/.x"}),
		"link":             packed(tar.Header{Name: "archive.db", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}),
		"picture first":    packed(tar.Header{Name: "media/a.jpg"}, tar.Header{Name: "archive.db"}),
		"two databases":    packed(tar.Header{Name: "archive.db"}, tar.Header{Name: "archive.db"}),
	}
	for _, part := range []int{1, 2, 5, 9} {
		cases[fmt.Sprintf("%d tenths", part)] = whole[:len(whole)*part/10]
		flipped := bytes.Clone(whole)
		flipped[len(whole)*part/10] ^= 0x40
		cases[fmt.Sprintf("flipped at %d tenths", part)] = flipped
	}
	for name, content := range cases {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			to := filepath.Join(root, "in", "archive.db")
			_, err := archive.Restore(t.Context(), to, bytes.NewReader(content))
			if err == nil {
				t.Fatal("it was restored")
			}
			if !errors.Is(err, archive.ErrBackup) && !errors.Is(err, archive.ErrForeign) {
				t.Errorf("error: %v", err)
			}
			if _, err := os.Lstat(to); !errors.Is(err, os.ErrNotExist) {
				t.Error("there is an archive")
			}
			if names := namesIn(t, root); len(names) != 1 {
				t.Errorf("files outside: %q", names)
			}
			// And a whole backup can be restored afterwards.
			if _, err := archive.Restore(t.Context(), to, bytes.NewReader(whole)); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// D66: an archive of somebody else cannot make a backup read other files.
func TestD66ForeignPictureNames(t *testing.T) {
	t.Parallel()
	a, name := filled(t, 1)
	if err := os.WriteFile(filepath.Join(filepath.Dir(name), "secret"), []byte("gizli"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Update(t.Context(), func(tx *archive.Tx) error {
		return tx.PutMedia(archive.Media{URL: "https://pictures.example/b.jpg", Name: "../secret", Type: "image/jpeg", Fetched: time.Unix(1e9, 0)})
	}); err != nil {
		t.Fatal(err)
	}
	copied, err := a.Backup(t.Context(), filepath.Join(t.TempDir(), "b"))
	if err != nil || copied.Pictures != 1 || copied.Missing != 1 {
		t.Errorf("%+v, %v", copied, err)
	}
}

// L29: a backup is not made twice at once to the same place, and one that is cancelled
// leaves nothing.
func TestL29CancelledBackup(t *testing.T) {
	t.Parallel()
	a, _ := filled(t, 20)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Backup(ctx, filepath.Join(dir, "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if names := namesIn(t, dir); len(names) != 0 {
		t.Errorf("left: %q", names)
	}
}
