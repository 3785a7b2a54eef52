-- ayna archive, schema version 5: the feeds of a published list, apart from its months.

ALTER TABLE published_list ADD COLUMN feeds TEXT NOT NULL DEFAULT ''; -- none: a tag without feeds, or a list whose months have none; one: a tag with one format; else ''
UPDATE published_list SET feeds = substr(months, 1, instr(months || ' ', ' ') - 1), months = substr(months, instr(months || ' ', ' ') + 1)
  WHERE months LIKE 'none%' OR months LIKE 'one%';
UPDATE published_list SET months = CASE months WHEN '' THEN '[]' ELSE '["' || replace(months, ' ', '","') || '"]' END; -- JSON: ["2026-11", "2026-10-1", "2026-10"]

DROP INDEX guard_published_list;
CREATE INDEX guard_published_list ON published_list (title, pages, months, feeds);
