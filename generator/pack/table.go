package pack

import (
	"context"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/story"
)

// Table writes the records of a part as a table for researchers: [Table.CSV] and
// [Table.Parquet]. Both have the columns of [Columns]. Rows are in the order of arrival.
type Table struct {
	Stories  *story.Reader // of the archive
	Part     Part
	BaseURL  string         // of the published site
	Texts    bool           // the CSV has the texts too
	Progress func(done int) // may be nil
}

// row is a record as a row of a table. Its fields are the columns, and their tags the data
// dictionary: the column's name and type, its unit, the service's field, and the meaning.
// An optional column is empty (null) where there is no value.
type row struct {
	Kind      string      `parquet:"kind,dict" about:"article, column, gallery, video, page, writer or folder"`
	ID        string      `parquet:"id" from:"Id" about:"unique within the kind"`
	Type      string      `parquet:"type,optional,dict" from:"ContentType" about:"as received"`
	Path      string      `parquet:"path,optional,dict" from:"Path" about:"folder, as /spor/futbol/"`
	Title     string      `parquet:"title,optional" from:"Title, Fullname" about:"plain text; the name of a writer"`
	Spot      string      `parquet:"spot,optional" from:"Description" about:"summary, plain text"`
	Text      string      `parquet:"text,optional" from:"Text" about:"plain text; paragraphs, list items and table rows are lines"`
	Markdown  string      `parquet:"markdown,optional" from:"Text" about:"the same text as CommonMark; links and pictures have their addresses at the source"`
	Tags      []string    `parquet:"tags,list" from:"Tags" about:"plain text"`
	Writers   []person    `parquet:"writers,list" from:"Writers, WriterId, Fullname" about:"in CSV the names"`
	Editor    string      `parquet:"editor,optional,dict" from:"Editor" about:"plain text"`
	Published time.Time   `parquet:"published,optional,timestamp(millisecond)" unit:"ms, UTC" from:"StartDate, CreatedDate, ModifiedDate" about:"the first of these dates that the record has"`
	Modified  time.Time   `parquet:"modified,optional,timestamp(millisecond)" unit:"ms, UTC" from:"ModifiedDate, StartDate, CreatedDate" about:"the first of these dates that the record has"`
	URL       string      `parquet:"url,optional" from:"Url" about:"address at the source, as received"`
	Address   string      `parquet:"address,optional" about:"address of its page below base_url; the page may be absent (see jsonl)"`
	Lead      string      `parquet:"lead,optional" from:"Files, Text" about:"address of the lead picture at the source"`
	Related   []reference `parquet:"related,list" from:"RelatedNews, PageNews" about:"records that it refers to; in CSV their ids"`
	Links     []string    `parquet:"links,list" from:"Text" about:"addresses that the text links, without those of pictures"`
	Words     int32       `parquet:"words" unit:"words" from:"Text" about:"words of the text that contain a letter or a digit"`
	Pictures  int32       `parquet:"pictures" unit:"pictures" from:"Files, Text" about:"different pictures, by address"`
	Seen      time.Time   `parquet:"seen,timestamp(millisecond)" unit:"ms, UTC" about:"when a list first contained it"`
	Listed    time.Time   `parquet:"listed,timestamp(millisecond)" unit:"ms, UTC" about:"when a list last contained it"`
	Fetched   time.Time   `parquet:"fetched,optional,timestamp(millisecond)" unit:"ms, UTC" about:"when its text arrived; without it the text is unknown"`
	Changed   time.Time   `parquet:"changed,optional,timestamp(millisecond)" unit:"ms, UTC" about:"when an answer last differed from the one before"`
	Gone      time.Time   `parquet:"gone,optional,timestamp(millisecond)" unit:"ms, UTC" about:"when it was found deleted at the source"`
	SHA256    string      `parquet:"sha256" about:"of its JSON, hexadecimal: hash in jsonl"`
}

type person struct {
	ID   string `parquet:"id"`
	Name string `parquet:"name"`
}

type reference struct {
	ID    string `parquet:"id"`
	Title string `parquet:"title"`
	URL   string `parquet:"url"`
}

// Column describes a column of a table.
type Column struct {
	Name, Type string
	Unit       string // may be empty
	From       string // fields of the service, in order of preference; "" if ayna makes it
	About      string
}

// Columns returns the columns of tables: the data dictionary.
func Columns() (list []Column) {
	for field := range reflect.TypeFor[row]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		list = append(list, Column{name, typeNames[field.Type], field.Tag.Get("unit"), field.Tag.Get("from"), field.Tag.Get("about")})
	}
	return list
}

var typeNames = map[reflect.Type]string{
	reflect.TypeFor[string]():      "string",
	reflect.TypeFor[int32]():       "integer",
	reflect.TypeFor[time.Time]():   "timestamp",
	reflect.TypeFor[[]string]():    "list of strings",
	reflect.TypeFor[[]person]():    "list of {id, name}",
	reflect.TypeFor[[]reference](): "list of {id, title, url}",
}

// rows calls do with the rows of the part, some at a time, with or without texts. Records with damaged JSON are
// left out and returned as "kind id".
func (t *Table) rows(ctx context.Context, texts bool, do func([]row) error) (damaged []string, err error) {
	const maxRows, maxBytes = 64, 4 << 20
	var batch []*archive.Record
	size := 0 // bytes of JSON in the batch
	flush := func() error {
		rows := make([]row, len(batch))
		group, groupContext := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, r := range batch {
			group.Go(func() (err error) {
				rows[i], err = t.row(groupContext, r, texts)
				return err
			})
		}
		batch, size = batch[:0], 0
		if err := group.Wait(); err != nil {
			return err
		}
		return do(rows)
	}
	damaged, err = each(ctx, t.Stories.Archive, t.Part, t.Progress, func(r *archive.Record) error {
		batch = append(batch, r)
		if size += len(r.List) + len(r.Single) + len(r.Hit); len(batch) < maxRows && size < maxBytes {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return damaged, err
}

// row returns the row of a record.
func (t *Table) row(ctx context.Context, r *archive.Record, texts bool) (row, error) {
	kept := row{
		Kind: string(r.Kind), ID: r.ID, Type: r.Type, Path: r.Path, Title: r.Title, Spot: r.Spot, Tags: r.Tags, Editor: r.Editor,
		Published: r.Published, Modified: r.Modified, URL: r.URL, Address: r.Address, Lead: r.Lead, Links: r.Links,
		Seen: r.Seen, Listed: r.Listed, Fetched: r.Fetched, Changed: r.Changed, Gone: r.GoneAt, SHA256: hex.EncodeToString(r.Hash[:]),
	}
	for _, writer := range r.Writers {
		kept.Writers = append(kept.Writers, person(writer))
	}
	for _, related := range r.Related {
		kept.Related = append(kept.Related, reference(related))
	}
	content, body, err := t.Stories.Text(ctx, r)
	if err != nil {
		return row{}, fmt.Errorf("%s %s: %w", r.Kind, r.ID, err)
	}
	if texts {
		kept.Text = body.Text()
		kept.Markdown, _ = body.Markdown(atSource{}) // if that fails, it returns plain paragraphs
	}
	kept.Words = int32(content.Words)
	pictures := body.Images()
	for _, file := range content.Files {
		if !slices.Contains(pictures, file.URL) {
			pictures = append(pictures, file.URL)
		}
	}
	kept.Pictures = int32(len(pictures))
	return kept, nil
}

// atSource resolves links and pictures of a text to their addresses at the source.
type atSource struct{}

func (atSource) Link(source string) string               { return source }
func (atSource) Image(source string) (prose.Image, bool) { return prose.Image{Src: source}, true }

// CSV writes the table as comma-separated values (RFC 4180, but lines end with "\n") with a
// header. Times are UTC (RFC 3339); the elements of lists are joined by " | ". A cell that a
// spreadsheet would take for a formula is prefixed with an apostrophe. Records with damaged
// JSON are left out and returned as "kind id".
func (t *Table) CSV(ctx context.Context, w io.Writer) (damaged []string, err error) {
	to := csv.NewWriter(w) // with UseCRLF it would change the texts' line ends too
	var header []string
	var fields []int
	for i, c := range Columns() {
		if t.Texts || c.Name != "text" && c.Name != "markdown" {
			header, fields = append(header, c.Name), append(fields, i)
		}
	}
	to.Write(header)
	cells := make([]string, len(fields))
	damaged, err = t.rows(ctx, t.Texts, func(rows []row) error {
		for _, r := range rows {
			for i, field := range fields {
				cells[i] = cell(reflect.ValueOf(r).Field(field).Interface())
			}
			to.Write(cells) // Error returns its error
		}
		return to.Error()
	})
	to.Flush()
	if err == nil {
		err = to.Error()
	}
	if err != nil {
		return nil, fmt.Errorf("export records: %w", err)
	}
	return damaged, nil
}

// cell returns a value as the text of a cell.
func cell(value any) (text string) {
	switch v := value.(type) {
	case string:
		text = v
	case int32:
		text = strconv.Itoa(int(v))
	case time.Time:
		if !v.IsZero() {
			text = v.UTC().Format(time.RFC3339Nano)
		}
	case []string:
		text = strings.Join(v, " | ")
	case []person:
		names := make([]string, len(v))
		for i, p := range v {
			names[i] = p.Name
		}
		text = strings.Join(names, " | ")
	case []reference:
		ids := make([]string, len(v))
		for i, r := range v {
			ids[i] = r.ID
		}
		text = strings.Join(ids, " | ")
	}
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		text = "'" + text
	}
	return text
}
