package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image"
	"image/png"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun/attack"
)

// volley is a few attacks that go into one field, one after the other.
type volley []attack.Armed

func (v volley) text() string { return strings.Join(v.texts(), " ") }

func (v volley) texts() []string {
	list := make([]string, len(v))
	for i, a := range v {
		list[i] = a.Text
	}
	return list
}

const (
	perVolley = 5
	folders   = 40

	// onlyPicture is the one picture that was mirrored.
	onlyPicture = "https://haber.example/resim.png"
)

// weapon is what a record of the service is made of.
type weapon struct {
	kind   record.Kind
	fields map[string]any
}

// arm stores records whose fields are attacks, each attack in every field of some
// record, and returns how many of them are items.
func arm(t *testing.T, name string, all []attack.Armed) (items int) {
	t.Helper()
	a, err := archive.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	volleys := slices.Collect(volleysOf(all))
	err = a.Update(t.Context(), func(tx *archive.Tx) error {
		when := time.Date(2026, 9, 20, 0, 0, 0, 0, time.UTC)
		for w := range weapons(volleys) {
			if err := w.put(tx, when); err != nil {
				return err
			}
		}
		for i := 0; i < len(volleys); i += 10 { // some change their words
			w := item(volleys, i)
			w.fields["Title"], w.fields["Text"] = volleys[(i+40)%len(volleys)].text(), volleys[(i+41)%len(volleys)].text()
			if err := w.put(tx, when.Add(time.Hour)); err != nil {
				return err
			}
		}
		for i, v := range volleys {
			c := archive.Comment{ID: fmt.Sprint(i + 1), Record: fmt.Sprint(item(volleys, i/8).fields["Id"]), Parent: fmt.Sprint(i), Author: v.text(), Written: when, HTML: v.text()}
			if _, err := tx.Comments.Put(c); err != nil {
				return err
			}
		}
		return keepPicture(tx, a.Pictures.Dir(), when)
	})
	if err := errors.Join(err, a.Close()); err != nil {
		t.Fatal(err)
	}
	return len(volleys)
}

func volleysOf(all []attack.Armed) iter.Seq[volley] {
	return func(yield func(volley) bool) {
		for v := range slices.Chunk(all, perVolley) {
			if !yield(v) {
				return
			}
		}
	}
}

func (w weapon) put(tx *archive.Tx, now time.Time) error {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // as the service wrote it
	if err := encoder.Encode(w.fields); err != nil {
		return err
	}
	raw := bytes.TrimSpace(b.Bytes())
	r := archive.Record{Record: record.Record{Kind: w.kind, ID: fmt.Sprint(w.fields["Id"]), Answers: record.Answers{List: raw, Single: raw}}, Progress: archive.Progress{Fetched: now, Listed: now}}
	if err := record.Fill(&r.Record, record.Dates{}); err != nil {
		return err
	}
	_, err := tx.Put(&r, now)
	return err
}

// weapons yields the records of all kinds.
func weapons(volleys []volley) iter.Seq[weapon] {
	return func(yield func(weapon) bool) {
		for i, v := range volleys {
			text, address := v.text(), v[i%len(v)].Address
			more := []weapon{item(volleys, i)}
			if i%4 == 0 {
				more = append(more, weapon{record.Writer, map[string]any{
					"Id": longID(i), "Fullname": text, "Description": text, "Path": address, "Url": address, "Files": pictures(volleys, i, false),
				}})
			}
			if i%30 == 0 {
				more = append(more, weapon{record.Page, map[string]any{"Id": longID(i), "Title": text, "Description": text, "Url": address, "PageNews": related(volleys, i)}})
			}
			if i < folders {
				more = append(more, weapon{record.Folder, map[string]any{"Id": longID(i), "Path": folder(volleys, i), "Title": text}})
			}
			for _, w := range more {
				if !yield(w) {
					return
				}
			}
		}
	}
}

// folder is the path of a folder; that of every other one is an attack.
func folder(volleys []volley, i int) string {
	if i %= folders; i%2 == 0 {
		return fmt.Sprintf("/bolum%d/", i)
	}
	return fmt.Sprintf("/b%d %s/", i, strings.ReplaceAll(volleys[i*len(volleys)/folders].text(), "/", "_"))
}

func longID(i int) string { return fmt.Sprintf("65aa%020x", i) }

// item is article, column, gallery or video number i.
func item(volleys []volley, i int) weapon {
	at := func(distance int) volley { return volleys[(i+distance)%len(volleys)] }
	var text strings.Builder
	for k, a := range at(1) {
		other := at(2)[k%len(at(2))]
		fmt.Fprintf(&text, `<p>once %s sonra</p><a href="%s">x</a><img src="%s" alt="%s"><img src="%s" alt="%s"><iframe src="%s"></iframe><table><tr><td>%s</table>`,
			a.Text, a.Address, a.Address, other.Text, onlyPicture, html.EscapeString(other.Text), a.Address, other.Text)
	}
	w := weapon{record.Article, map[string]any{
		"Id": 41_000_000 + i, "Title": at(0).text(), "Description": at(3).text(), "Editor": at(4).text(), "Path": folder(volleys, i), "Url": at(5)[i%len(at(5))].Address,
		"Tags": at(6).texts(), "RelatedNews": related(volleys, i), "Files": pictures(volleys, i, i%5 == 1), "Text": text.String(),
		"Writers":  []any{map[string]any{"Id": longID(i / 4 * 4)}, map[string]any{"Id": fmt.Sprint("y", i/4), "Fullname": at(7).text()}},
		"Fullname": at(7).text(), "StartDate": time.Date(2026, 9, 1, 0, 30*i, 0, 0, time.UTC), "ModifiedDate": time.Date(2026, 9, 15, 0, i, 0, 0, time.UTC),
	}}
	switch i % 5 {
	case 1:
		w.kind = record.Gallery
	case 2:
		w.kind = record.Video
	case 3:
		w.kind = record.Column
	}
	return w
}

// pictures have attacks in their captions, and those that are not there also in
// their addresses. A gallery has more of them, and all are there.
func pictures(volleys []volley, i int, gallery bool) []any {
	file := func(address string, a attack.Armed) any {
		return map[string]any{"FileUrl": address, "Metadata": map[string]string{"Title": a.Text, "Description": a.Text}}
	}
	var files []any
	if !gallery {
		files = append(files, file(onlyPicture, volleys[i][0]))
		for _, a := range volleys[(i+8)%len(volleys)] {
			files = append(files, file(a.Address, a))
		}
		return files
	}
	for k := range galleryPictures {
		v := volleys[(i+8+k/perVolley)%len(volleys)]
		files = append(files, file(fmt.Sprint(onlyPicture, "?", k), v[k%len(v)]))
	}
	return files
}

const galleryPictures = 5 * perVolley

func related(volleys []volley, i int) []any {
	list := []any{map[string]any{"Id": 41_000_000 + (i+100)%len(volleys), "Title": volleys[i].text()}}
	for _, a := range volleys[(i+9)%len(volleys)] {
		list = append(list, map[string]any{"Id": a.Text, "Title": a.Text, "Url": a.Address})
	}
	return list
}

// keepPicture stores the picture at all the addresses it has.
func keepPicture(tx *archive.Tx, dir string, now time.Time) error {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 16, 9))); err != nil {
		return err
	}
	name := fmt.Sprintf("%x.png", sha256.Sum256(b.Bytes()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644); err != nil {
		return err
	}
	addresses := []string{onlyPicture}
	for k := range galleryPictures {
		addresses = append(addresses, fmt.Sprint(onlyPicture, "?", k))
	}
	for _, address := range addresses {
		m := archive.Media{URL: address, Name: name, Type: "image/png", Width: 16, Height: 9, Bytes: int64(b.Len()), Fetched: now}
		if err := tx.PutMedia(m); err != nil {
			return err
		}
	}
	return nil
}
