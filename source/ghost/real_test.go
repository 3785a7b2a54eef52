package ghost_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/source"
	"ayna/source/ghost"
	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

// TestRealGhost runs the suite of sources with a real Ghost.
func TestRealGhost(t *testing.T) {
	o := &office{Server: sourcetest.OpenServer(t, "AYNA_GHOST", "ghost")}
	real := newsroom
	if err := o.open(&real); err != nil {
		t.Fatal(err)
	}
	real.Serial, real.Open, real.Older = true, o.paper, nil
	// Its own clock publishes what is scheduled, and it has one database.
	real.Can = []sourcetest.Ability{sourcetest.Converts, sourcetest.ShowsEdits, sourcetest.HasNoise, sourcetest.Restores, sourcetest.Typed}
	real.Skipped = append([]string{"an older copy in every second run"}, real.Skipped...)
	sourcetest.Run(t, real)
}

// An office has the papers of one Ghost, one after the other.
type office struct {
	*sourcetest.Server
	session string // of the editor
}

// open keeps what the start script has written, with which all papers begin.
func (o *office) open(n *sourcetest.Newsroom) error {
	session, err := os.ReadFile(filepath.Join(o.Dir, "session"))
	if err != nil {
		return err
	}
	o.session = strings.TrimSpace(string(session))
	os.Remove(filepath.Join(o.Dir, "office.db")) // of an earlier test
	db, err := sql.Open("sqlite", filepath.Join(o.Dir, "ghost.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec("VACUUM INTO ?", filepath.Join(o.Dir, "office.db")); err != nil {
		return err
	}
	return db.QueryRow("SELECT secret FROM api_keys WHERE type = 'content' ORDER BY id LIMIT 1").Scan(&n.Key)
}

// paper makes a paper in place of the one before.
func (o *office) paper(_ testing.TB, items int, _ string) sourcetest.Paper {
	p := &realPaper{Server: *o.Server, session: o.session}
	p.Must(p.Outside(func() error {
		if err := p.sql(p.restore); err != nil {
			return err
		}
		return p.sql(func(tx *sql.Tx) error { return fill(tx, items) })
	}))
	return p
}

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
	if _, err := db.Exec("ATTACH ? AS office", filepath.Join(p.Dir, "office.db")); err != nil {
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

// restore brings back what the start script has written.
func (p *realPaper) restore(tx *sql.Tx) error {
	tables, err := column(tx, "SELECT name FROM office.sqlite_master WHERE type = 'table' AND name NOT IN ('sessions', 'brute', 'sqlite_sequence')")
	for _, name := range tables {
		if err == nil {
			_, err = tx.Exec(fmt.Sprintf("DELETE FROM main.%s; INSERT INTO main.%[1]s SELECT * FROM office.%[1]s", name))
		}
	}
	return err
}

// column returns the texts of a query.
func column(tx *sql.Tx, query string, args ...any) (all []string, err error) {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// fill replaces all posts by the suite's, and adds authors.
func fill(tx *sql.Tx, items int) error {
	_, err := tx.Exec(`
		CREATE TEMP TABLE model AS SELECT * FROM posts WHERE title = 'Haber 3';
		CREATE TEMP TABLE person AS SELECT * FROM users;
		CREATE TEMP TABLE role AS SELECT * FROM roles_users;
		DELETE FROM posts_tags; DELETE FROM posts_authors WHERE post_id IN (SELECT id FROM posts WHERE type = 'post');
		DELETE FROM posts_meta; DELETE FROM posts_products; DELETE FROM post_revisions; DELETE FROM mobiledoc_revisions;
		DELETE FROM posts WHERE type = 'post' OR slug = 'about';
		DELETE FROM tags WHERE slug = 'news'`)
	for i, name := range []string{"Mehmet Çağlar", "Zehra Ünal"} {
		if err == nil {
			id := fmt.Sprintf("6b04%020x", 100+i)
			_, err = tx.Exec(`
				UPDATE person SET id = ?1, name = ?2, slug = 'yazar-' || ?3, email = 'yazar-' || ?3 || '@zeytin.example';
				INSERT INTO users SELECT * FROM person;
				UPDATE role SET id = ?1, user_id = ?1, role_id = (SELECT id FROM roles WHERE name = 'Author');
				INSERT INTO roles_users SELECT * FROM role`, id, name, i)
		}
	}
	if err != nil {
		return err
	}
	authors, err1 := column(tx, "SELECT id FROM users ORDER BY id")
	tags, err2 := column(tx, "SELECT id FROM tags WHERE visibility = 'public' ORDER BY id")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for i := range items {
		if err := fillPost(tx, i, authors[i%len(authors)], tags[i%len(tags)]); err != nil {
			return err
		}
	}
	_, err = tx.Exec("DROP TABLE temp.model; DROP TABLE person; DROP TABLE role")
	return err
}

// fillPost adds the post at a place, the newest first.
func fillPost(tx *sql.Tx, i int, author, tag string) error {
	const words = "Zeytinliğin %d numaralı haberi burada uzun uzun anlatılır."
	text, picture, summary := fmt.Sprintf(words, i), "", ""
	if i%4 == 0 {
		picture = fmt.Sprintf("__GHOST_URL__/content/images/2026/11/resim-%d.png", i%6)
	}
	if i%3 != 0 {
		summary = fmt.Sprintf("Haber %d kısaca özetlenir.", i)
	}
	lexical := fmt.Sprintf(`{"root":{"type":"root","version":1,"direction":"ltr","format":"","indent":0,"children":[{"type":"paragraph","version":1,"direction":"ltr","format":"","indent":0,`+
		`"children":[{"type":"text","version":1,"text":%q,"detail":0,"format":0,"mode":"normal","style":""}]}]}}`, text)
	at := utc(fakepaper.Newest.Add(-time.Duration(i) * 7 * time.Minute))
	_, err := tx.Exec(`
		UPDATE temp.model SET id = ?1, comment_id = ?1, uuid = '59ff0ec6-5e22-4932-872c-' || substr(?1, -12), title = ?2, slug = 'haber-' || ?1, lexical = ?3, html = '<p>' || ?4 || '</p>',
			plaintext = ?4, feature_image = nullif(?5, ''), custom_excerpt = nullif(?6, ''), created_at = ?7, updated_at = ?7, published_at = ?7;
		INSERT INTO posts SELECT * FROM temp.model;
		INSERT INTO posts_authors (id, post_id, author_id, sort_order) VALUES (?1, ?1, ?8, 0);
		INSERT INTO posts_tags (id, post_id, tag_id, sort_order) VALUES (?1, ?1, ?9, 0)`,
		fmt.Sprintf("6b05%020x", 1000-i), fmt.Sprintf("Zeytin haberi %d", i), lexical, text, picture, summary, at, author, tag)
	return err
}

func utc(at time.Time) string { return at.UTC().Format(time.DateTime) }

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
	p.edit("PUT", kind, id+"/?source=html", fields)
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
