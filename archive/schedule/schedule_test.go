package schedule_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/archive/schedule"
)

// What is due is found by an index, in its order: an archive may hold a million
// records.
func TestOverdueByIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	a, err := archive.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("EXPLAIN QUERY PLAN "+schedule.OverdueForTest, 1, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, step)
	}
	if len(plan) != 1 || !strings.Contains(plan[0], "USING INDEX record_due (recheck_after=? AND fetched>? AND fetched<?)") {
		t.Errorf("plan: %q", plan)
	}
}
