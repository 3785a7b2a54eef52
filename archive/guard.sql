-- Second copies of what nothing else vouches for: the check compares an index
-- with its table. Everything else has a hash, can be drawn from the JSON again,
-- or stands in the table light as well.
CREATE INDEX IF NOT EXISTS guard_revision ON revision (json, part, seen);
CREATE INDEX IF NOT EXISTS guard_directory ON directory (dir);
CREATE INDEX IF NOT EXISTS guard_published_list ON published_list (title, pages, volumes);
CREATE INDEX IF NOT EXISTS guard_forgotten ON forgotten (url);
CREATE INDEX IF NOT EXISTS guard_hit ON hit (id);
CREATE INDEX IF NOT EXISTS guard_media ON media (name, type, width, height, bytes);
