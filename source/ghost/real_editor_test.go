package ghost_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"time"

	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/sourcetest"
)

// A realPaper is a Ghost with an editor, who uses the Admin API. Dates that Ghost would set
// otherwise, and changes without one, are written into its database.
type realPaper struct {
	sourcetest.Server
	session string
}

func (p *realPaper) Source(key string, c source.Connection) (source.Source, error) {
	return ghost.New(ghost.Config{BaseURL: p.Server.Address, APIKey: key, Connection: c})
}

func (p *realPaper) Address() string { return p.Server.Address }

// sql runs a function with Ghost's database.
func (p *realPaper) sql(f func(*sql.Tx) error) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.Dir, "ghost.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("ATTACH ? AS filled", filepath.Join(p.Dir, "filled.db")); err != nil {
		return err
	}
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

// outside is sql outside of synctest.
func (p *realPaper) outside(f func(*sql.Tx) error) {
	p.Must(p.Outside(func() error { return p.sql(f) }))
}

func (p *realPaper) exec(statement string, args ...any) {
	p.outside(func(tx *sql.Tx) error { _, err := tx.Exec(statement, args...); return err })
}

func (p *realPaper) Items() (items []sourcetest.Item) {
	p.outside(func(tx *sql.Tx) (err error) {
		items, err = itemsOf(tx, "type = 'post' AND status = 'published'")
		return err
	})
	return items
}

// itemsOf returns the items of posts, newest first. Internal tags are no folders.
func itemsOf(tx *sql.Tx, where string, args ...any) (items []sourcetest.Item, err error) {
	rows, err := tx.Query(`SELECT id, title, ifnull(custom_excerpt, ''), ifnull(html, ''), ifnull(published_at, ''), feature_image IS NOT NULL,
			ifnull((SELECT author_id FROM posts_authors WHERE post_id = posts.id ORDER BY sort_order LIMIT 1), ''),
			ifnull((SELECT tag_id FROM posts_tags JOIN tags ON tags.id = tag_id WHERE post_id = posts.id AND visibility = 'public' ORDER BY sort_order LIMIT 1), '')
		FROM posts WHERE `+where+` ORDER BY published_at DESC, id DESC`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i sourcetest.Item
		var date, author, tag string
		if err := rows.Scan(&i.ID, &i.Title, &i.Summary, &i.Text, &date, &i.Picture, &author, &tag); err != nil {
			return nil, err
		}
		i.Date, _ = time.Parse(time.DateTime, date)
		i.Names = map[string]string{"authors": author}
		if tag != "" {
			i.Names["tags"] = tag
		}
		items = append(items, i)
	}
	return items, rows.Err()
}

// edit sends a request of the editor, and returns the element that the answer has.
func (p *realPaper) edit(method, kind, route string, fields map[string]any) (id string) {
	body, err := json.Marshal(map[string]any{kind: []any{fields}})
	p.Must(err)
	answer, content, err := p.Send(method, "/ghost/api/admin/"+kind+"/"+route, body, http.Header{
		"Cookie": {p.session}, "Origin": {p.Server.Address}, "Content-Type": {"application/json"},
	})
	p.Must(err)
	if answer.StatusCode >= 300 {
		p.Must(fmt.Errorf("%s %s/%s %s: %s %.300s", method, kind, route, body, answer.Status, content))
	}
	var changed map[string][]struct{ ID string }
	if json.Unmarshal(content, &changed) == nil && len(changed[kind]) > 0 {
		return changed[kind][0].ID
	}
	return ""
}

// fieldsOf returns what an edit changes.
func fieldsOf(was, i sourcetest.Item) map[string]any {
	fields := make(map[string]any)
	for name, change := range map[string][2]string{"title": {was.Title, i.Title}, "custom_excerpt": {was.Summary, i.Summary}, "html": {was.Text, i.Text}} {
		if change[0] != change[1] {
			fields[name] = change[1]
		}
	}
	for _, list := range []string{"tags", "authors"} {
		if id := i.Names[list]; id != was.Names[list] && id != "" {
			fields[list] = []any{map[string]any{"id": id}}
		}
	}
	return fields
}

func (p *realPaper) Publish(i sourcetest.Item) string {
	fields := fieldsOf(sourcetest.Item{}, i)
	if fields["status"] = "published"; !i.Date.IsZero() {
		fields["published_at"] = i.Date.UTC().Format(time.RFC3339)
	}
	return p.edit("POST", "posts", "?source=html", fields)
}

func (p *realPaper) Change(id string, at time.Time, edit func(*sourcetest.Item)) {
	var i sourcetest.Item
	p.outside(func(tx *sql.Tx) error {
		items, err := itemsOf(tx, "id = ?", id)
		if err != nil || len(items) != 1 {
			return errors.Join(err, fmt.Errorf("%d items %s", len(items), id))
		}
		i = items[0]
		return nil
	})
	was := i
	was.Names = maps.Clone(i.Names)
	edit(&i)
	p.put("posts", id, at, fieldsOf(was, i))
}

// put edits an element, and sets its date of change; a zero one is the one before.
func (p *realPaper) put(kind, id string, at time.Time, fields map[string]any) {
	table := map[string]string{"posts": "posts", "tags": "tags", "users": "users"}[kind]
	var date string
	p.outside(func(tx *sql.Tx) error {
		return tx.QueryRow("SELECT ifnull(updated_at, created_at) FROM "+table+" WHERE id = ?", id).Scan(&date)
	})
	before, err := time.Parse(time.DateTime, date)
	p.Must(err)
	fields["updated_at"] = before.Format("2006-01-02T15:04:05.000Z")
	if at.IsZero() {
		at = before
	}
	if len(fields) > 1 {
		p.edit("PUT", kind, id+"/?source=html", fields)
	}
	p.exec("UPDATE "+table+" SET updated_at = ? WHERE id = ?", utc(at), id)
}

func (p *realPaper) Withdraw(id, way string) {
	if way == "delete" {
		p.edit("DELETE", "posts", id+"/", nil)
		return
	}
	p.put("posts", id, time.Time{}, map[string]any{"status": "draft"})
}

func (p *realPaper) Restore(id, _ string) {
	p.put("posts", id, time.Time{}, map[string]any{"status": "published"})
}

func (p *realPaper) Rename(list, id, name string) {
	kind := map[string]string{"tags": "tags", "authors": "users"}[list]
	fields := map[string]any{"name": name}
	if kind == "users" {
		p.outside(func(tx *sql.Tx) error {
			var email string
			err := tx.QueryRow("SELECT email FROM users WHERE id = ?", id).Scan(&email)
			fields["email"] = email
			return err
		})
	}
	p.put(kind, id, time.Now(), fields)
}

// Convert changes the type as the database of an import does.
func (p *realPaper) Convert(id string, toPage bool) {
	p.exec("UPDATE posts SET type = ?, updated_at = ? WHERE id = ?", map[bool]string{false: "post", true: "page"}[toPage], utc(time.Now()), id)
}
