package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/testrun"
)

// What examples/datasette says of the archive is true: each table and column is there and
// described, and each query runs and finds something in the sample.
func TestDatasetteMetadata(t *testing.T) {
	testrun.NotShort(t)
	type table struct {
		Columns, Units     map[string]string
		Sort               string   `json:"sort_desc"`
		Label              string   `json:"label_column"`
		Sortable           []string `json:"sortable_columns"`
		Facets             []string
		FTS                string `json:"fts_table"`
		Key                string `json:"fts_pk"`
		Title, Description string
		Hidden             bool
	}
	var metadata struct {
		Databases map[string]struct {
			Tables  map[string]table
			Queries map[string]struct {
				Title, Description, SQL string
				Params                  []string
			}
		}
	}
	content, err := os.ReadFile(filepath.Join("..", "..", "examples", "datasette", "metadata.json"))
	if err == nil {
		err = json.Unmarshal(content, &metadata)
	}
	if err != nil {
		t.Fatal(err)
	}
	described := metadata.Databases["archive"]
	db, err := sql.Open("sqlite", "file:"+filepath.Join(mirrorWorkdir(t).dir, ".ayna", "sample", "archive.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()

	columns := map[string][]string{}
	rows, err := db.Query(`SELECT list.name, column.name FROM pragma_table_list AS list, pragma_table_xinfo(list.name) AS column
		WHERE list.schema = 'main' AND list.type <> 'shadow' AND list.name NOT LIKE 'sqlite_%' ORDER BY 1, cid`)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		columns[table] = append(columns[table], column)
	}
	if err := rows.Err(); err != nil || len(columns) < 10 {
		t.Fatal(len(columns), err)
	}
	for name, list := range columns {
		if _, ok := described.Tables[name]; !ok {
			t.Errorf("the table %s %v is not described", name, list)
		}
	}
	for name, table := range described.Tables {
		if columns[name] == nil {
			t.Errorf("there is no table %s", name)
		}
		if table.Hidden {
			continue
		}
		for _, column := range columns[name] {
			if table.Columns[column] == "" {
				t.Errorf("%s.%s is not described", name, column)
			}
		}
		named := slices.Concat(table.Sortable, table.Facets)
		for column := range table.Columns {
			named = append(named, column)
		}
		for column := range table.Units {
			named = append(named, column)
		}
		for _, column := range []string{table.Sort, table.Label, table.Key} {
			if column != "" {
				named = append(named, column)
			}
		}
		for _, column := range named {
			if !slices.Contains(columns[name], column) {
				t.Errorf("%s has no column %s", name, column)
			}
		}
		if table.Title == "" || table.Description == "" || table.FTS != "" && columns[table.FTS] == nil {
			t.Errorf("%s: %+v", name, table)
		}
	}

	values := map[string][]string{
		"writer": {"Yasemin", ""}, "id": {"41010101"},
		"words": {"Lodos İnceada", "IĞNE OR feribot*", "lodos NOT zeytin"},
	}
	empty := []string{"gone"} // of the sample nothing is
	for name, query := range described.Queries {
		args := []string{""}
		if len(query.Params) == 1 {
			args = values[query.Params[0]]
		}
		if query.Title == "" || query.Description == "" || len(args) == 0 || len(query.Params) > 1 {
			t.Errorf("%s: %+v", name, query)
		}
		if n := strings.Count(query.SQL, "(replace("); n > 8 {
			t.Errorf("%s nests %d calls; SQLite before 3.46 refuses that many", name, n)
		}
		for _, value := range args {
			var named []any
			for _, param := range query.Params {
				named = append(named, sql.Named(param, value))
			}
			var n int
			if err := db.QueryRow("SELECT count(*) FROM ("+query.SQL+")", named...).Scan(&n); err != nil {
				t.Errorf("%s %q: %v", name, value, err)
			} else if (n == 0) != slices.Contains(empty, name) {
				t.Errorf("%s %q finds %d rows", name, value, n)
			}
		}
	}
}
