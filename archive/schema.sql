-- ayna archive. The tables of version 5 of the schema come first; each later version adds
-- what stands below the line that names it.
--
-- Times are Unix milliseconds, UTC; NULL where unknown. To read one:
--   SELECT datetime(published / 1000, 'unixepoch') FROM record;
-- The view "item" does that, and shows the full text of each record.

-- One row for every record the service listed.
CREATE TABLE record (
  row       INTEGER PRIMARY KEY,  -- in the order of arrival
  kind      TEXT NOT NULL,        -- article, column, gallery, video, page, writer, folder
  id        TEXT NOT NULL,        -- the service's Id
  type      TEXT NOT NULL,        -- the service's ContentType, as received
  path      TEXT NOT NULL,        -- folder: /spor/futbol/
  title     TEXT NOT NULL,        -- plain text; of a writer the name
  spot      TEXT NOT NULL,        -- plain text; the service's Description
  url       TEXT NOT NULL,        -- public address at the source, as received
  editor    TEXT NOT NULL,
  writer_id TEXT NOT NULL,        -- the first writer's id, else ''
  lead      TEXT NOT NULL,        -- address of the lead picture, else ''
  published INTEGER,              -- StartDate, else CreatedDate, else ModifiedDate
  modified  INTEGER,              -- ModifiedDate, else StartDate, else CreatedDate
  tags      TEXT NOT NULL,        -- JSON: ["deprem", ...]
  writers   TEXT NOT NULL,        -- JSON: [{"id", "name"}, ...]
  related   TEXT NOT NULL,        -- JSON: [{"id", "title", "url"}, ...]; of a page the news assigned to it
  links     TEXT NOT NULL,        -- JSON: ["http://...", ...]: addresses that the text links
  hash      BLOB NOT NULL,        -- SHA-256 of the list record, a zero byte and the single record, as received
  fetch_due INTEGER NOT NULL,     -- 1: the single record has to be fetched: it is new, or its list record changed
  recheck   INTEGER NOT NULL,     -- 1: the single record is to be fetched again because it is old
  attempts  INTEGER NOT NULL,     -- how often in a row fetching it failed
  retry_at  INTEGER,              -- it is not tried before
  pass      INTEGER NOT NULL,     -- number of the pass over its kind's list that last saw it
  seen      INTEGER NOT NULL,     -- first seen in a list
  listed    INTEGER NOT NULL,     -- last seen in a list
  fetched   INTEGER,              -- when the single record arrived; NULL: not yet
  changed   INTEGER,              -- when an answer last differed from the one before
  gone_at   INTEGER,              -- when it was found to be gone from the source, or kept aside
  aside     INTEGER NOT NULL DEFAULT 0, -- 1: it came with a list that did not end, and is not shown until a list shows it again; 2: the source says that it is no record
  address   TEXT,                 -- of its page in the published site; once given it stays

  -- After how long the single record is fetched again: six hours, a day, four days
  -- or thirty days, by the age that it had when it was fetched last.
  recheck_after INTEGER GENERATED ALWAYS AS (CASE
    WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 86400000 THEN 21600000
    WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 604800000 THEN 86400000
    WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 2592000000 THEN 345600000
    ELSE 2592000000 END) VIRTUAL,
  paths   TEXT NOT NULL DEFAULT '[]', -- JSON: ["/spor/", "/kent/"]: all folders of a record in several, path first
  parent  TEXT NOT NULL DEFAULT '',   -- of a standing page: id of the page above it, else ''
  ordinal INTEGER,                    -- of a standing page: its place among its siblings; NULL for any other record
  access  TEXT NOT NULL DEFAULT '',   -- the service's Access: members, or '' for everybody
  UNIQUE (kind, id)
) STRICT;

-- Those by which lists are answered hold all that finding a page of them needs.
CREATE INDEX record_published ON record (kind, published DESC, id DESC, gone_at, modified, path, writer_id);
CREATE INDEX record_modified ON record (kind, modified DESC, published DESC, id DESC, gone_at);
CREATE INDEX record_path ON record (path, kind, published DESC, id DESC, gone_at, modified);
CREATE INDEX record_writer ON record (writer_id, kind, published DESC, id DESC, gone_at, modified) WHERE writer_id <> '';
CREATE INDEX record_newest ON record (published DESC, id DESC);
CREATE INDEX record_gone ON record (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX record_fetch_due ON record (published DESC) WHERE fetch_due = 1 OR recheck = 1;
CREATE INDEX record_seen ON record (seen);
CREATE INDEX record_pass ON record (kind, pass);
CREATE INDEX record_standing ON record (row) WHERE ordinal IS NOT NULL;

-- Addresses at the source that a record had before, or has in another part of its
-- JSON. Its present one is record.url.
CREATE TABLE former_url (
  row INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  url TEXT NOT NULL,  -- as received
  PRIMARY KEY (row, url)
) STRICT, WITHOUT ROWID;

-- What a page shows of a record (its words, its text as cleaned HTML and as
-- Markdown), in a form of package story's. It may be emptied at any time.
CREATE TABLE body (
  row   INTEGER PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  maker INTEGER NOT NULL,  -- by which version of the program
  data  BLOB NOT NULL      -- compressed (S2, an extension of Snappy)
) STRICT;
CREATE INDEX body_maker ON body (maker, row);

-- The JSON of each record, byte for byte as the service sent it.
CREATE TABLE raw (
  row    INTEGER PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  list   TEXT,  -- the record as lists show it
  single TEXT   -- the record as its own operation shows it
) STRICT;

-- Earlier versions of a record's JSON.
CREATE TABLE revision (
  row  INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  part TEXT NOT NULL,     -- list or single; damaged: what the check set aside
  json TEXT NOT NULL,
  seen INTEGER NOT NULL   -- when the version that followed it was first seen
) STRICT;
CREATE INDEX revision_row ON revision (row, seen);

-- Which pictures a record shows, lead picture first.
CREATE TABLE image (
  row      INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  url      TEXT NOT NULL,
  PRIMARY KEY (row, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX image_url ON image (url);

-- Pictures that were fetched, or tried. The bytes lie in the folder media/
-- beside this file, named by "name".
CREATE TABLE media (
  url     TEXT PRIMARY KEY,
  name    TEXT NOT NULL,     -- <SHA-256 of the bytes, 32 digits>.<jpg|png|gif|webp>; '' if there is none
  type    TEXT NOT NULL,     -- media type
  width   INTEGER NOT NULL,  -- pixels
  height  INTEGER NOT NULL,
  bytes   INTEGER NOT NULL,
  fetched INTEGER NOT NULL,
  problem TEXT NOT NULL      -- why there is no picture, else ''
) STRICT;

-- Hits that the source gave for saved searches.
CREATE TABLE hit (
  query TEXT NOT NULL,
  id    TEXT NOT NULL,
  PRIMARY KEY (query, id)
) STRICT, WITHOUT ROWID;

-- Hits as searches showed them: they carry the full text. By the record's id.
CREATE TABLE hit_json (
  id   TEXT PRIMARY KEY,
  json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Records taken out for good, with each address that other records may link: at the
-- source, and, until all of them is gone, without a slash in front, that of their page.
-- They are not stored again. The name is in quotes, as SQLite keeps it in older archives.
CREATE TABLE "forgotten" (
  kind TEXT NOT NULL,
  id   TEXT NOT NULL,
  url  TEXT NOT NULL,  -- '' in one row of each
  PRIMARY KEY (kind, id, url)
) STRICT, WITHOUT ROWID;

-- Directories given to folders, tags and the like; once given they stay.
CREATE TABLE directory (
  space TEXT NOT NULL,   -- folder, tag, writer, page, search
  name  TEXT NOT NULL,   -- what it was given to
  dir   TEXT NOT NULL,
  PRIMARY KEY (space, name)
) STRICT, WITHOUT ROWID;

-- Where the synchronisation stands, by name.
CREATE TABLE state (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- When requests were sent to the service, for its limits; one hour is kept.
CREATE TABLE request (
  sent INTEGER NOT NULL
) STRICT;
CREATE INDEX request_sent ON request (sent);

-- Under the name "generation" it counts the changes of what a site shows, so that a
-- build can tell that there was none.
INSERT INTO state (name, value) VALUES ('generation', '0');
CREATE TRIGGER generation_record_new AFTER INSERT ON record BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_record AFTER UPDATE OF hash, published, modified, changed, fetched, gone_at ON record
WHEN old.hash <> new.hash OR old.published IS NOT new.published OR old.modified IS NOT new.modified OR old.changed IS NOT new.changed OR
  old.gone_at IS NOT new.gone_at OR (old.fetched IS NOT new.fetched AND new.modified > ifnull(old.fetched, old.seen))
BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_record_gone AFTER DELETE ON record BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_media_new AFTER INSERT ON media BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_media AFTER UPDATE ON media WHEN old.name <> new.name BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_hit_new AFTER INSERT ON hit BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;

-- Full-text index: the folded words of each record (see docs/disk.md), each
-- once; rowid = record.row. The tokenizer only divides at blanks.
CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '2 3'
);

-- For people with sqlite3 or Datasette.
CREATE VIEW item AS
SELECT kind, id, title, spot, path, editor, url,
       datetime(published / 1000, 'unixepoch') AS published,
       datetime(modified / 1000, 'unixepoch')  AS modified,
       datetime(gone_at / 1000, 'unixepoch')  AS gone_at,
       tags, writers, related, address,
       json_extract(single, '$.Text') AS text
FROM record LEFT JOIN raw USING (row);

CREATE INDEX record_waiting ON record (kind, path, paths) WHERE fetched IS NULL AND gone_at IS NULL;
CREATE INDEX raw_unlisted ON raw (row) WHERE list IS NULL;

CREATE INDEX record_due ON record (recheck_after, fetched)
WHERE fetch_due = 0 AND recheck = 0 AND gone_at IS NULL AND kind NOT IN ('page', 'folder');

-- Answers that contradict what is kept of a record, and are not believed yet.
CREATE TABLE doubt (
  row   INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  part  TEXT NOT NULL,  -- list or single
  claim TEXT NOT NULL,  -- in what the answer contradicts
  times INTEGER NOT NULL,  -- how often such an answer was counted, with none in between that does not contradict
  last  INTEGER NOT NULL,  -- when it was counted last
  PRIMARY KEY (row, part)
) STRICT, WITHOUT ROWID;

-- Lists of the published site: folders, tags, writers and the like. Their addresses
-- stay when they become empty.
CREATE TABLE published_list (
  dir     TEXT PRIMARY KEY,  -- as in the table directory; '' is the list of all items
  title   TEXT NOT NULL,
  pages   INTEGER NOT NULL,  -- highest number of its pages
  months  TEXT NOT NULL,     -- JSON: ["2026-11", "2026-10-1", "2026-10"]
  feeds   TEXT NOT NULL DEFAULT '' -- none: a tag without feeds, or a list whose months have none; one: a tag with one format; else ''
) STRICT, WITHOUT ROWID;

-- Second copies of what nothing else vouches for: the check compares an index
-- with its table. Everything else has a hash, or can be made from the JSON again.
CREATE INDEX guard_revision ON revision (json, part, seen);
CREATE INDEX guard_directory ON directory (dir);
CREATE INDEX guard_published_list ON published_list (title, pages, months, feeds);
CREATE INDEX guard_forgotten ON forgotten (url);
CREATE INDEX guard_hit ON hit (id);
CREATE INDEX guard_media ON media (name, type, width, height, bytes);

-- Version 6: what living sources sent.

-- The JSON of each object that WordPress or Ghost sent, byte for byte. The table raw holds
-- the program's reading of it. What the Read API sends is in raw itself.
CREATE TABLE original (
  type      TEXT NOT NULL,     -- the source's name of the list: posts, users, tags, ...
  id        TEXT NOT NULL,     -- the source's id
  part      TEXT NOT NULL,     -- list, or single of a record that has a text
  replaced  INTEGER NOT NULL,  -- when others took the place of these bytes; 0 of those that hold
  kind      TEXT NOT NULL,     -- of the record that was made of it, else ''
  record    TEXT NOT NULL,     -- id of that record; '' if none was made, as of a tag
  operation TEXT NOT NULL,     -- of the request that brought it
  reader    TEXT NOT NULL,     -- by which rules the program made that record of it
  fetched   INTEGER NOT NULL,  -- when these bytes first came
  -- Compressed with zstd. To read it:
  --   sqlite3 archive.db "SELECT hex(data) FROM original WHERE type = 'posts' AND id = '3' AND replaced = 0" | xxd -r -p | zstd -dc
  data      BLOB NOT NULL,
  PRIMARY KEY (type, id, part, replaced)
) STRICT;

-- Also a second copy of what nothing else vouches for: the checksum in data covers data alone.
CREATE INDEX original_record ON original (kind, record) WHERE record <> '';
CREATE INDEX original_reader ON original (reader) WHERE record <> '' AND replaced = 0;

-- Version 7: what readers of originals have not understood.

-- Names of kinds, with blanks between them; '' if all was understood.
ALTER TABLE original ADD COLUMN notes TEXT NOT NULL DEFAULT '';
CREATE INDEX original_notes ON original (notes) WHERE notes <> '' AND replaced = 0;

-- Version 8: documents, sounds and films.

-- A file that a record links or plays: document, audio or video; '' is a picture.
ALTER TABLE image ADD COLUMN attached TEXT NOT NULL DEFAULT '';
CREATE INDEX image_attached ON image (row) WHERE attached <> '';

-- What the source said of these files, and how far they were fetched. A file is in the table
-- media once it is here whole; until then its bytes lie in media/.partial/.
CREATE TABLE download (
  url      TEXT PRIMARY KEY,
  etag     TEXT NOT NULL,     -- as the answer had it, else ''
  modified TEXT NOT NULL,     -- its Last-Modified, else ''
  length   INTEGER NOT NULL,  -- bytes of the whole file; -1: unknown
  received INTEGER NOT NULL,  -- bytes that are on the disk
  due      INTEGER NOT NULL,  -- it is not asked for before
  tries    INTEGER NOT NULL   -- how often in a row it had not changed, or failed
) STRICT;
CREATE INDEX guard_download ON download (etag, modified, length, received, due, tries);

-- Version 9: cards of pages of other sites. Their rows of the table image have attached = 'card';
-- those of media and download have the address of the page.

-- The title of such a page, as plain text; '' if it is unknown, and of anything else.
ALTER TABLE media ADD COLUMN page_title TEXT NOT NULL DEFAULT '';
DROP INDEX guard_media;
CREATE INDEX guard_media ON media (name, type, width, height, bytes, page_title);
DROP TRIGGER generation_media;
CREATE TRIGGER generation_media AFTER UPDATE ON media WHEN old.name <> new.name OR old.page_title <> new.page_title BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;

-- Version 10: which records changed since a build.

-- By row, the number of the last change of what a site shows of a record: of itself, its pictures, earlier
-- versions, former addresses and prepared text. Numbers rise: who has read everything reads again the rows
-- of the numbers that came since. Removed records stay in it; one that is not did not change since version 9.
CREATE TABLE stamp (
  row    INTEGER PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT;
CREATE INDEX stamp_number ON stamp (number);
CREATE TRIGGER stamp_record_new AFTER INSERT ON record BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_record AFTER UPDATE OF type, path, title, spot, url, lead, published, modified, tags, writers, related, links, hash, seen,
  changed, gone_at, aside, address, paths, ordinal, access ON record BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_record_fetched AFTER UPDATE OF fetched ON record
WHEN old.fetched IS NOT new.fetched BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_record_gone AFTER DELETE ON record BEGIN
  INSERT INTO stamp VALUES (old.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_image_new AFTER INSERT ON image BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_image_gone AFTER DELETE ON image BEGIN
  INSERT INTO stamp VALUES (old.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_former_url_new AFTER INSERT ON former_url BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_former_url_gone AFTER DELETE ON former_url BEGIN
  INSERT INTO stamp VALUES (old.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_revision_new AFTER INSERT ON revision BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_revision AFTER UPDATE ON revision BEGIN
  INSERT INTO stamp VALUES (new.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_revision_gone AFTER DELETE ON revision BEGIN
  INSERT INTO stamp VALUES (old.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_media_new AFTER INSERT ON media BEGIN
  INSERT INTO stamp SELECT DISTINCT row, coalesce((SELECT max(number) FROM stamp), 0) + 1 FROM image WHERE url = new.url
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_media AFTER UPDATE ON media BEGIN
  INSERT INTO stamp SELECT DISTINCT row, coalesce((SELECT max(number) FROM stamp), 0) + 1 FROM image WHERE url = new.url
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_media_gone AFTER DELETE ON media BEGIN
  INSERT INTO stamp SELECT DISTINCT row, coalesce((SELECT max(number) FROM stamp), 0) + 1 FROM image WHERE url = old.url
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;
CREATE TRIGGER stamp_body_gone AFTER DELETE ON body BEGIN
  INSERT INTO stamp VALUES (old.row, coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
END;

-- Version 11: comments of readers.

-- What readers have written below records at the source. The JSON that the source sent is in the
-- table original, of the kind "comment".
CREATE TABLE comment (
  id      TEXT PRIMARY KEY,  -- the source's id
  record  TEXT NOT NULL,     -- id of the record that it is below, which the archive may lack
  parent  TEXT NOT NULL,     -- id of the comment that it answers, else ''
  author  TEXT NOT NULL,     -- plain text
  written INTEGER NOT NULL,  -- 0 where unknown
  html    TEXT NOT NULL,     -- as received
  hash    BLOB NOT NULL,     -- of the columns before: the first half of SHA-256
  pass    INTEGER NOT NULL,  -- number of the pass over the list that last saw it
  lacked  INTEGER            -- when an answer to a request for this very comment first lacked it
) STRICT;
CREATE INDEX comment_record ON comment (record, written, id, hash);
CREATE INDEX comment_pass ON comment (pass);
CREATE TRIGGER generation_comment_new AFTER INSERT ON comment BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_comment AFTER UPDATE OF hash ON comment WHEN old.hash <> new.hash BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
CREATE TRIGGER generation_comment_gone AFTER DELETE ON comment BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'generation';
END;
