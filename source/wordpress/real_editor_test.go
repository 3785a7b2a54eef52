package wordpress_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/sourcetest"
	"ayna/source/wordpress"
)

// A realPaper is a WordPress with an editor, who uses the REST API. Dates that WordPress
// would set otherwise, and changes without one, are written into its database.
type realPaper struct {
	sourcetest.Server
	file, auth string
	scheduled  bool
}

func (p *realPaper) Source(key string, c source.Connection) (source.Source, error) {
	return wordpress.New(wordpress.Config{BaseURL: p.Server.Address, APIKey: key, Connection: c})
}

func (p *realPaper) Address() string { return p.Server.Address }

// sql runs a function with the paper's database.
func (p *realPaper) sql(f func(*sql.Tx) error) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.Dir, p.file)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// exec runs statements in the paper's database, outside of synctest.
func (p *realPaper) exec(statement string, args ...any) {
	p.Must(p.Outside(func() error {
		return p.sql(func(tx *sql.Tx) error { _, err := tx.Exec(statement, args...); return err })
	}))
}

func (p *realPaper) Items() (items []sourcetest.Item) {
	now := time.Now()
	p.Must(p.Outside(func() error {
		return p.sql(func(tx *sql.Tx) (err error) {
			items, err = itemsOf(tx, `post_type = 'post' AND post_status = 'publish' AND post_password = '' AND post_date_gmt <= ?`, utc(now))
			return err
		})
	}))
	return items
}

// itemsOf returns the items of posts, newest first.
func itemsOf(tx *sql.Tx, where string, args ...any) (items []sourcetest.Item, err error) {
	rows, err := tx.Query(`SELECT ID, post_title, post_excerpt, post_content, post_date_gmt, post_author,
			EXISTS (SELECT 1 FROM wp_postmeta WHERE post_id = ID AND meta_key = '_thumbnail_id')
		FROM wp_posts WHERE `+where+` ORDER BY post_date_gmt DESC, ID DESC`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i sourcetest.Item
		var date, author string
		if err := rows.Scan(&i.ID, &i.Title, &i.Summary, &i.Text, &date, &author, &i.Picture); err != nil {
			return nil, err
		}
		i.Date, _ = time.Parse(time.DateTime, date) // drafts have none
		i.Names = map[string]string{"users": author}
		items = append(items, i)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, i := range items {
		for list, taxonomy := range taxonomies {
			terms, err := numbers(tx, `SELECT term_id FROM wp_term_relationships JOIN wp_term_taxonomy USING (term_taxonomy_id) WHERE object_id = ? AND taxonomy = ? ORDER BY term_id`, i.ID, taxonomy)
			if err != nil {
				return nil, err
			}
			if len(terms) > 0 {
				i.Names[list] = strconv.Itoa(terms[0])
			}
		}
	}
	return items, nil
}

var taxonomies = map[string]string{"categories": "category", "tags": "post_tag"}

// edit sends a request of the editor.
func (p *realPaper) edit(method, route string, fields map[string]any) (id int) {
	body, err := json.Marshal(fields)
	p.Must(err)
	answer, content, err := p.Send(method, "/wp-json/wp/v2/"+route, body, http.Header{"Authorization": {p.auth}, "Content-Type": {"application/json"}})
	p.Must(err)
	var changed struct{ ID int }
	if err := json.Unmarshal(content, &changed); err != nil || answer.StatusCode >= 300 {
		p.Must(fmt.Errorf("%s %s %s: %s %.300s", method, route, body, answer.Status, content))
	}
	return changed.ID
}

// fieldsOf returns what an edit changes.
func fieldsOf(was, i sourcetest.Item) map[string]any {
	fields := make(map[string]any)
	for name, change := range map[string][2]string{"title": {was.Title, i.Title}, "excerpt": {was.Summary, i.Summary}, "content": {was.Text, i.Text}} {
		if change[0] != change[1] {
			fields[name] = change[1]
		}
	}
	for list := range taxonomies {
		if i.Names[list] != was.Names[list] {
			fields[list] = slices.DeleteFunc([]int{number(i.Names[list])}, func(id int) bool { return id == 0 })
		}
	}
	if i.Names["users"] != was.Names["users"] {
		fields["author"] = number(i.Names["users"])
	}
	return fields
}

func (p *realPaper) Publish(i sourcetest.Item) string {
	fields := fieldsOf(sourcetest.Item{}, i)
	if fields["status"] = "publish"; !i.Date.IsZero() {
		fields["date_gmt"] = i.Date.UTC().Format("2006-01-02T15:04:05")
		p.scheduled = true
	}
	return strconv.Itoa(p.edit("POST", "posts", fields))
}

// publishDue runs WordPress's own jobs, of which one publishes what was scheduled.
func (p *realPaper) publishDue() error {
	if !p.scheduled {
		return nil
	}
	return p.Knock("/wp-cron.php")
}

func (p *realPaper) Change(id string, at time.Time, edit func(*sourcetest.Item)) {
	p.dated(id, at, func() {
		i := p.item(id)
		was := i
		was.Names = maps.Clone(i.Names)
		edit(&i)
		if fields := fieldsOf(was, i); len(fields) > 0 {
			p.edit("POST", "posts/"+id, fields)
		}
	})
}

func (p *realPaper) item(id string) (i sourcetest.Item) {
	p.Must(p.Outside(func() error {
		return p.sql(func(tx *sql.Tx) error {
			items, err := itemsOf(tx, "ID = ?", id)
			if err != nil || len(items) != 1 {
				return errors.Join(err, fmt.Errorf("%d items %s", len(items), id))
			}
			i = items[0]
			return nil
		})
	}))
	return i
}

// dated edits a post, and sets its date of change; a zero one is the one before.
func (p *realPaper) dated(id string, at time.Time, edit func()) {
	if at.IsZero() {
		p.Must(p.Outside(func() error {
			return p.sql(func(tx *sql.Tx) error {
				var date string
				err := tx.QueryRow("SELECT post_modified_gmt FROM wp_posts WHERE ID = ?", id).Scan(&date)
				at, _ = time.Parse(time.DateTime, date)
				return err
			})
		}))
	}
	edit()
	p.exec("UPDATE wp_posts SET post_modified = ?, post_modified_gmt = ? WHERE ID = ?", local(at), utc(at), id)
}

func (p *realPaper) Withdraw(id, way string) {
	switch way {
	case "delete":
		p.edit("DELETE", "posts/"+id+"?force=true", nil)
	case "trash":
		p.dated(id, time.Time{}, func() { p.edit("DELETE", "posts/"+id, nil) })
	case "draft":
		p.dated(id, time.Time{}, func() { p.edit("POST", "posts/"+id, map[string]any{"status": "draft"}) })
	case "password":
		p.dated(id, time.Time{}, func() { p.edit("POST", "posts/"+id, map[string]any{"password": "sakli"}) })
	}
}

func (p *realPaper) Restore(id, way string) {
	fields := map[string]any{"status": "publish"}
	if way == "password" {
		fields = map[string]any{"password": ""}
	}
	p.dated(id, time.Time{}, func() { p.edit("POST", "posts/"+id, fields) })
}

func (p *realPaper) Rename(list, id, name string) {
	p.edit("POST", list+"/"+id, map[string]any{"name": name})
}

// Convert changes the type as plug-ins do, with the date.
func (p *realPaper) Convert(id string, toPage bool) {
	now := time.Now()
	p.exec("UPDATE wp_posts SET post_type = ?, post_modified = ?, post_modified_gmt = ? WHERE ID = ?",
		map[bool]string{false: "post", true: "page"}[toPage], local(now), utc(now), id)
}
