-- ayna archive, schema version 1.
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
  pictures  BLOB,                 -- digest of what the table media holds of the record's pictures
  wanted    INTEGER NOT NULL,     -- 1: the single record has to be fetched: it is new, or its list record changed
  recheck   INTEGER NOT NULL,     -- 1: the single record is to be fetched again because it is old
  tries     INTEGER NOT NULL,     -- how often in a row fetching it failed
  again     INTEGER,              -- it is not tried again before
  pass      INTEGER NOT NULL,     -- number of the pass over its kind's list that last saw it
  seen      INTEGER NOT NULL,     -- first seen in a list
  listed    INTEGER NOT NULL,     -- last seen in a list
  fetched   INTEGER,              -- when the single record arrived; NULL: not yet
  changed   INTEGER,              -- when an answer last differed from the one before
  vanished  INTEGER,              -- when it was found to be gone from the source
  address   TEXT,                 -- of its page in the published site; once given it stays
  UNIQUE (kind, id)
) STRICT;

-- Those by which lists are answered hold all that finding a page of them needs.
CREATE INDEX record_published ON record (kind, published DESC, id DESC, vanished, modified, path, writer_id);
CREATE INDEX record_modified ON record (kind, modified DESC, published DESC, id DESC, vanished);
CREATE INDEX record_path ON record (path, kind, published DESC, id DESC, vanished, modified);
CREATE INDEX record_writer ON record (writer_id, kind, published DESC, id DESC, vanished, modified) WHERE writer_id <> '';
CREATE INDEX record_newest ON record (published DESC, id DESC);
CREATE INDEX record_vanished ON record (vanished) WHERE vanished IS NOT NULL;
CREATE INDEX record_wanted ON record (published DESC) WHERE wanted = 1 OR recheck = 1;
CREATE INDEX record_seen ON record (seen);
CREATE INDEX record_pass ON record (kind, pass);

-- What arranging a site needs of each record, so that a build need not read the
-- rest: the columns of the view "line", divided by U+001F. Triggers keep it.
CREATE TABLE light (
  row  INTEGER PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  line TEXT NOT NULL
) STRICT;

CREATE VIEW line AS
SELECT row, kind || char(31) || replace(id, char(31), ' ') || char(31) || replace(type, char(31), ' ') || char(31) ||
       replace(path, char(31), ' ') || char(31) || replace(url, char(31), ' ') || char(31) ||
       ifnull(published, '') || char(31) || ifnull(modified, '') || char(31) || seen || char(31) ||
       ifnull(changed, '') || char(31) || ifnull(fetched, '') || char(31) || ifnull(vanished, '') || char(31) ||
       hex(substr(hash, 1, 12)) || char(31) || ifnull(hex(pictures), '') || char(31) || ifnull(address, '') || char(31) ||
       tags || char(31) || writers || char(31) || related || char(31) || links AS line
FROM record;

CREATE TRIGGER record_inserted AFTER INSERT ON record BEGIN
  INSERT INTO light SELECT row, line FROM line WHERE row = new.row;
END;

CREATE TRIGGER record_updated AFTER UPDATE OF kind, id, type, path, url, published, modified, changed, fetched, vanished,
  hash, pictures, address, tags, writers, related, links ON record BEGIN
  UPDATE light SET line = (SELECT line FROM line WHERE row = new.row) WHERE row = new.row;
END;

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
CREATE TABLE found (
  id   TEXT PRIMARY KEY,
  json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Records taken out for good. They are not stored again.
CREATE TABLE forgotten (
  kind TEXT NOT NULL,
  id   TEXT NOT NULL,
  url  TEXT NOT NULL,  -- its address at the source, which other records may link; '' if unknown
  PRIMARY KEY (kind, id)
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

-- Under the name "edition" it counts the changes of what a site shows, so that a
-- build can tell that there was none.
INSERT INTO state (name, value) VALUES ('edition', '0');
CREATE TRIGGER edition_record_new AFTER INSERT ON record BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'edition';
END;
CREATE TRIGGER edition_record AFTER UPDATE OF hash, pictures, address, published, modified, changed, fetched, vanished ON record
WHEN old.hash <> new.hash OR old.pictures IS NOT new.pictures OR old.address IS NOT new.address OR
  old.published IS NOT new.published OR old.modified IS NOT new.modified OR old.changed IS NOT new.changed OR
  old.vanished IS NOT new.vanished OR (old.fetched IS NOT new.fetched AND new.modified > ifnull(old.fetched, old.seen))
BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'edition';
END;
CREATE TRIGGER edition_record_gone AFTER DELETE ON record BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'edition';
END;
CREATE TRIGGER edition_media_new AFTER INSERT ON media BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'edition';
END;
CREATE TRIGGER edition_media AFTER UPDATE ON media WHEN old.name <> new.name BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'edition';
END;
CREATE TRIGGER edition_hit_new AFTER INSERT ON hit BEGIN
  UPDATE state SET value = value + 1 WHERE name = 'edition';
END;

-- Full-text index over folded text (see docs/archive.md); rowid = record.row.
CREATE VIRTUAL TABLE search USING fts5 (
  title, spot, text,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0', prefix = '2 3'
);

-- For people with sqlite3 or Datasette.
CREATE VIEW item AS
SELECT kind, id, title, spot, path, editor, url,
       datetime(published / 1000, 'unixepoch') AS published,
       datetime(modified / 1000, 'unixepoch')  AS modified,
       datetime(vanished / 1000, 'unixepoch')  AS vanished,
       tags, writers, related, address,
       json_extract(single, '$.Text') AS text
FROM record LEFT JOIN raw USING (row);

-- What archives of this version may have been made without; it is made when they
-- are opened for writing.

CREATE INDEX IF NOT EXISTS record_waiting ON record (kind, path) WHERE fetched IS NULL AND vanished IS NULL;
CREATE INDEX IF NOT EXISTS raw_unlisted ON raw (row) WHERE list IS NULL;

-- Finds the single records that are due to be fetched again: after six hours,
-- a day, four days or thirty days, by the age that a record had when it was
-- fetched last. The expression is also in recheck.go.
CREATE INDEX IF NOT EXISTS record_due ON record ((CASE
  WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 86400000 THEN 21600000
  WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 604800000 THEN 86400000
  WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 2592000000 THEN 345600000
  ELSE 2592000000 END), fetched)
WHERE wanted = 0 AND recheck = 0 AND vanished IS NULL AND kind NOT IN ('page', 'folder');

-- Answers that contradict what is kept of a record, and are not believed yet.
CREATE TABLE IF NOT EXISTS doubt (
  row   INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  part  TEXT NOT NULL,  -- list or single
  claim TEXT NOT NULL,  -- in what the answer contradicts
  times INTEGER NOT NULL,  -- how often such an answer was counted, with none in between that does not contradict
  last  INTEGER NOT NULL,  -- when it was counted last
  PRIMARY KEY (row, part)
) STRICT, WITHOUT ROWID;

-- Records whose JSON changed while what lists show of them (title, spot and lead
-- picture) did not: the hash that they had before the first such change.
CREATE TABLE IF NOT EXISTS teaser (
  row  INTEGER PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  hash BLOB NOT NULL
) STRICT;

-- Lists of the published site: folders, tags, writers and the like. Their addresses
-- stay when they become empty.
CREATE TABLE IF NOT EXISTS published_list (
  dir     TEXT PRIMARY KEY,  -- as in the table directory; '' is the list of all items
  title   TEXT NOT NULL,
  pages   INTEGER NOT NULL,  -- highest number of its pages
  volumes TEXT NOT NULL      -- months of its history: '2026-11 2026-10-1 2026-10'
) STRICT, WITHOUT ROWID;

-- What lists show of 32 records whose rows follow each other, in a form of the
-- program. Triggers remove what is not true any more. It may be emptied at any
-- time.
CREATE TABLE IF NOT EXISTS sheaf (
  number INTEGER PRIMARY KEY,  -- row / 32
  data   BLOB NOT NULL
) STRICT;

CREATE TRIGGER IF NOT EXISTS sheaf_new AFTER INSERT ON record BEGIN
  DELETE FROM sheaf WHERE number = new.row / 32;
END;
CREATE TRIGGER IF NOT EXISTS sheaf_changed AFTER UPDATE OF title, spot, lead, pictures ON record
WHEN old.title <> new.title OR old.spot <> new.spot OR old.lead <> new.lead OR old.pictures IS NOT new.pictures BEGIN
  DELETE FROM sheaf WHERE number = new.row / 32;
END;
CREATE TRIGGER IF NOT EXISTS sheaf_gone AFTER DELETE ON record BEGIN
  DELETE FROM sheaf WHERE number = old.row / 32;
END;
CREATE TRIGGER IF NOT EXISTS sheaf_picture_new AFTER INSERT ON media BEGIN
  DELETE FROM sheaf WHERE number IN (SELECT row / 32 FROM image WHERE url = new.url);
END;
CREATE TRIGGER IF NOT EXISTS sheaf_picture AFTER UPDATE OF name, type, width, height, bytes ON media BEGIN
  DELETE FROM sheaf WHERE number IN (SELECT row / 32 FROM image WHERE url = new.url);
END;
CREATE TRIGGER IF NOT EXISTS sheaf_picture_gone AFTER DELETE ON media BEGIN
  DELETE FROM sheaf WHERE number IN (SELECT row / 32 FROM image WHERE url = old.url);
END;
