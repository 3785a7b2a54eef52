package wordpress_test

import (
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

// TestRealWordPress runs the suite of sources with a real WordPress.
func TestRealWordPress(t *testing.T) {
	s := sourcetest.OpenServer(t, "AYNA_WORDPRESS", "wordpress")
	office := &office{Server: s}
	if err := office.open(); err != nil {
		t.Fatal(err)
	}
	real := newsroom
	real.Serial, real.Key, real.Few, real.Open, real.Older = true, office.password, 12, office.paper, nil
	sourcetest.Run(t, real)
}

// An office is where the papers of one WordPress are made: each is a database of its own.
type office struct {
	*sourcetest.Server
	password string // of the editor, with his name
	papers   int
}

// filled is the database of the start script.
const filled = "filled.sqlite"

// open gives the editor a password for programs, in a copy of the filled database that all
// papers begin with.
func (o *office) open() error {
	if err := o.copy(filled, "wp.sqlite"); err != nil {
		return err
	}
	code := `return 'yonetici:' . WP_Application_Passwords::chunk_password(WP_Application_Passwords::create_new_application_password(1, ['name' => 'suite'])[0]);`
	c := exec.Command("php", filepath.Join("..", "..", ".ci", "wordpress", "run.php"), filepath.Join(o.Dir, "site"), code)
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &o.password)
	}
	if err != nil {
		return fmt.Errorf("a password: %w: %s", err, out)
	}
	return o.copy("wp.sqlite", "office.sqlite")
}

func (o *office) copy(from, to string) error {
	data, err := os.ReadFile(filepath.Join(o.Dir, from))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.Dir, to), data, 0o600)
}

// paper makes a paper.
func (o *office) paper(_ testing.TB, items int, key string) sourcetest.Paper {
	o.papers++
	p := &realPaper{Server: *o.Server, auth: "Basic " + base64.StdEncoding.EncodeToString([]byte(o.password)), file: fmt.Sprintf("paper-%d.sqlite", o.papers)}
	p.Header = http.Header{"X-Paper": {p.file}}
	p.Must(o.copy("office.sqlite", p.file))
	p.Must(p.Outside(func() error { return p.fill(items, key != "") }))
	p.Before = p.publishDue
	return p
}

// fill leaves a number of posts, and gives them the words and names of the suite.
func (p *realPaper) fill(items int, closed bool) error {
	return p.sql(func(tx *sql.Tx) error {
		_, err := tx.Exec(`
			DELETE FROM wp_posts WHERE post_type = 'revision' OR post_type IN ('post', 'page', 'etkinlik') AND (post_status <> 'publish' OR post_password <> '');
			DELETE FROM wp_posts WHERE post_type IN ('page', 'etkinlik');
			UPDATE wp_posts SET post_type = 'page', post_author = 1, post_content = '<p>Bu sayfa yerinde durur.</p>'
				WHERE ID IN (SELECT ID FROM wp_posts WHERE post_type = 'post' ORDER BY ID DESC LIMIT 2);
			DELETE FROM wp_posts WHERE post_type = 'post' AND ID NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'post' ORDER BY ID LIMIT ?);
			DELETE FROM wp_postmeta WHERE meta_key = '_thumbnail_id' OR post_id NOT IN (SELECT ID FROM wp_posts);
			DELETE FROM wp_term_relationships;
			UPDATE wp_options SET option_value = 'a:0:{}' WHERE option_name = 'sticky_posts'`, items)
		if err == nil && closed {
			_, err = tx.Exec(`INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('closed', '1', 'yes')`)
		}
		if err != nil {
			return err
		}
		ids, err := numbers(tx, `SELECT ID FROM wp_posts WHERE post_type = 'post' ORDER BY ID DESC`)
		if err != nil || len(ids) != items {
			return errors.Join(err, fmt.Errorf("%d posts of %d", len(ids), items))
		}
		for i, id := range ids {
			if err := fillPost(tx, i, id); err != nil {
				return err
			}
		}
		_, err = tx.Exec(`UPDATE wp_term_taxonomy SET count = (SELECT count(*) FROM wp_term_relationships r WHERE r.term_taxonomy_id = wp_term_taxonomy.term_taxonomy_id)`)
		return err
	})
}

// fillPost writes the post at a place, the newest first.
func fillPost(tx *sql.Tx, i, id int) error {
	at := fakepaper.Newest.Add(-time.Duration(i) * 7 * time.Minute)
	summary := ""
	if i%3 != 0 {
		summary = fmt.Sprintf("Haber %d kısaca özetlenir.", i)
	}
	_, err := tx.Exec(`UPDATE wp_posts SET post_title = ?, post_excerpt = ?, post_content = ?, post_author = ?, post_date = ?, post_date_gmt = ?, post_modified = ?, post_modified_gmt = ? WHERE ID = ?`,
		fmt.Sprintf("Liman haberi %d", i), summary, fmt.Sprintf("<p>Limanın %d numaralı haberi burada uzun uzun anlatılır.</p>", i), 2+i%3,
		local(at), utc(at), local(at), utc(at), id)
	if err == nil && i%4 == 0 {
		_, err = tx.Exec(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ?, '_thumbnail_id', ID FROM wp_posts
			WHERE post_type = 'attachment' AND post_mime_type = 'image/jpeg' ORDER BY ID LIMIT 1 OFFSET ?`, id, i%5)
	}
	for taxonomy, terms := range map[string][]string{"category": {"Spor", "Ekonomi", "Sinema"}, "post_tag": {"", "çarşı", "imar", "liman", "şenlik"}} {
		if err == nil {
			_, err = tx.Exec(`INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) SELECT ?, term_taxonomy_id, 0
				FROM wp_term_taxonomy JOIN wp_terms USING (term_id) WHERE taxonomy = ? AND name = ?`, id, taxonomy, terms[i%len(terms)])
		}
	}
	return err
}

func utc(at time.Time) string { return at.UTC().Format(time.DateTime) }

// local has the zone of the paper, Istanbul.
func local(at time.Time) string { return at.UTC().Add(3 * time.Hour).Format(time.DateTime) }

func numbers(tx *sql.Tx, query string, args ...any) (all []int, err error) {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}
