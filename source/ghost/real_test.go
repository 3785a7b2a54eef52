package ghost_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	t.Cleanup(func() {
		if err := (&realPaper{Server: *o.Server}).sql(restore); err != nil {
			t.Error(err)
		}
	})
	real.Serial, real.Open, real.Older = true, o.paper, nil
	// Its own clock publishes what is scheduled, and it has one database.
	real.Can = []sourcetest.Ability{sourcetest.Converts, sourcetest.ShowsEdits, sourcetest.HasNoise, sourcetest.Restores, sourcetest.Typed, sourcetest.Originals, sourcetest.Singles}
	real.Skipped = append([]string{
		"an older copy in every second run", "an older copy of single records alone", "an older copy of the single record of an edit",
		"an older copy of lists alone, then of all", "the list lacks an item whose single record is older",
	}, real.Skipped...)
	sourcetest.Run(t, real)
}

// An office has the papers of one Ghost, one after the other.
type office struct {
	*sourcetest.Server
	session string // of the editor
}

// open reads the session and a key.
func (o *office) open(n *sourcetest.Newsroom) error {
	session, err := os.ReadFile(filepath.Join(o.Dir, "session"))
	if err != nil {
		return err
	}
	o.session = strings.TrimSpace(string(session))
	db, err := sql.Open("sqlite", filepath.Join(o.Dir, "filled.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	return db.QueryRow("SELECT secret FROM api_keys WHERE type = 'content' ORDER BY id LIMIT 1").Scan(&n.Key)
}

// paper makes a paper in place of the one before.
func (o *office) paper(_ testing.TB, items int, _ string) sourcetest.Paper {
	p := &realPaper{Server: *o.Server, session: o.session}
	p.Must(p.Outside(func() error {
		if err := p.sql(restore); err != nil {
			return err
		}
		return p.sql(func(tx *sql.Tx) error { return fill(tx, items) })
	}))
	return p
}

// restore brings back what the start script has written.
func restore(tx *sql.Tx) error {
	tables, err := column(tx, "SELECT name FROM filled.sqlite_master WHERE type = 'table' AND name NOT IN ('sessions', 'brute', 'sqlite_sequence')")
	for _, name := range tables {
		if err == nil {
			_, err = tx.Exec(fmt.Sprintf("DELETE FROM main.%s; INSERT INTO main.%[1]s SELECT * FROM filled.%[1]s", name))
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
