-- ayna archive in PostgreSQL (14 or later). The tables and versions are those of
-- schema.sql; what a column holds is written there. To read a time:
--   SELECT to_timestamp(published / 1000) FROM record;
-- The view "item" does that, and shows the full text of each record.
--
-- JSON as it was received is kept as bytes, since a text can hold neither a zero
-- byte nor what is no UTF-8; readable(list) shows it. Texts are ordered byte by
-- byte. What a service may make as long as it likes (ids, addresses, folders) is
-- indexed by a digest, since the entries of other indexes must be short.

-- Marks the archive, and counts its changes, so that a reader can tell that
-- there was none.
CREATE TABLE ayna (
  version integer NOT NULL, -- of this schema
  changes bigint NOT NULL DEFAULT 0
);
INSERT INTO ayna (version) VALUES (0);

CREATE TABLE record (
  row       bigint PRIMARY KEY,
  kind      text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  type      text COLLATE "C" NOT NULL,
  path      text COLLATE "C" NOT NULL,
  title     text COLLATE "C" NOT NULL,
  spot      text COLLATE "C" NOT NULL,
  url       text COLLATE "C" NOT NULL,
  editor    text COLLATE "C" NOT NULL,
  writer_id text COLLATE "C" NOT NULL,
  lead      text COLLATE "C" NOT NULL,
  published bigint,
  modified  bigint,
  tags      text COLLATE "C" NOT NULL,
  writers   text COLLATE "C" NOT NULL,
  related   text COLLATE "C" NOT NULL,
  links     text COLLATE "C" NOT NULL,
  hash      bytea NOT NULL,
  fetch_due integer NOT NULL,
  recheck   integer NOT NULL,
  attempts  bigint NOT NULL,
  retry_at  bigint,
  pass      bigint NOT NULL,
  seen      bigint NOT NULL,
  listed    bigint NOT NULL,
  fetched   bigint,
  changed   bigint,
  gone_at   bigint,
  aside     integer NOT NULL DEFAULT 0,
  address   text COLLATE "C",
  recheck_after bigint GENERATED ALWAYS AS (CASE
    WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 86400000 THEN 21600000
    WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 604800000 THEN 86400000
    WHEN fetched - CASE WHEN published < seen THEN published ELSE seen END < 2592000000 THEN 345600000
    ELSE 2592000000 END) STORED,
  paths     text COLLATE "C" NOT NULL DEFAULT '[]',
  parent    text COLLATE "C" NOT NULL DEFAULT '',
  ordinal   bigint,
  access    text COLLATE "C" NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX record_kind_id ON record (kind, md5(id));
CREATE INDEX record_id ON record USING hash (id);
CREATE INDEX record_published ON record (kind, published DESC NULLS LAST);
CREATE INDEX record_modified ON record (kind, modified DESC NULLS LAST);
CREATE INDEX record_path ON record (md5(path), kind, published DESC NULLS LAST);
CREATE INDEX record_writer ON record (md5(writer_id), kind, published DESC NULLS LAST);
CREATE INDEX record_newest ON record (published DESC NULLS LAST);
CREATE INDEX record_gone ON record (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX record_fetch_due ON record (published DESC NULLS LAST) WHERE fetch_due = 1 OR recheck = 1;
CREATE INDEX record_seen ON record (seen);
CREATE INDEX record_pass ON record (kind, pass);
CREATE INDEX record_standing ON record (row) WHERE ordinal IS NOT NULL;

CREATE TABLE former_url (
  row bigint NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  url text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX former_url_key ON former_url (row, md5(url));

-- Rows are numbered as they arrive; there is one writer.
CREATE FUNCTION next_row() RETURNS bigint LANGUAGE sql
BEGIN ATOMIC
  SELECT coalesce(max(row), 0) + 1 FROM record;
END;
ALTER TABLE record ALTER COLUMN row SET DEFAULT next_row();

CREATE TABLE body (
  row   bigint PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  maker bigint NOT NULL,
  data  bytea NOT NULL
);
CREATE INDEX body_maker ON body (maker, row);
ALTER TABLE body ALTER COLUMN data SET STORAGE EXTERNAL; -- it is compressed

CREATE TABLE raw (
  row    bigint PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  list   bytea,
  single bytea
);

CREATE TABLE revision (
  rowid bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  row   bigint NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  part  text COLLATE "C" NOT NULL,
  json  bytea NOT NULL,
  seen  bigint NOT NULL
);
CREATE INDEX revision_row ON revision (row, seen);

CREATE TABLE image (
  row      bigint NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  position bigint NOT NULL,
  url      text COLLATE "C" NOT NULL,
  PRIMARY KEY (row, position)
);
CREATE INDEX image_url ON image (md5(url));

CREATE TABLE media (
  url     text COLLATE "C" NOT NULL,
  name    text COLLATE "C" NOT NULL,
  type    text COLLATE "C" NOT NULL,
  width   bigint NOT NULL,
  height  bigint NOT NULL,
  bytes   bigint NOT NULL,
  fetched bigint NOT NULL,
  problem text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX media_key ON media (md5(url));
CREATE INDEX media_url ON media USING hash (url);

CREATE TABLE hit (
  query text COLLATE "C" NOT NULL,
  id    text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX hit_key ON hit (md5(query), md5(id));

CREATE TABLE hit_json (
  id   text COLLATE "C" NOT NULL,
  json bytea NOT NULL
);
CREATE UNIQUE INDEX hit_json_key ON hit_json (md5(id));
CREATE INDEX hit_json_id ON hit_json USING hash (id);

CREATE TABLE forgotten (
  kind text COLLATE "C" NOT NULL,
  id   text COLLATE "C" NOT NULL,
  url  text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX forgotten_key ON forgotten (kind, md5(id), md5(url));

CREATE TABLE directory (
  space text COLLATE "C" NOT NULL,
  name  text COLLATE "C" NOT NULL,
  dir   text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX directory_key ON directory (space, md5(name));

CREATE TABLE state (
  name  text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE TABLE request (
  sent bigint NOT NULL
);
CREATE INDEX request_sent ON request (sent);

-- Counts the generation, once in a transaction: each further time would leave one
-- more dead version of the same row to be passed by.
INSERT INTO state (name, value) VALUES ('generation', '0');
CREATE FUNCTION count_generation() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('ayna.counted', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
    UPDATE state SET value = value::bigint + 1 WHERE name = 'generation';
    PERFORM set_config('ayna.counted', pg_current_xact_id()::text, true);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER generation_record_new AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_record AFTER UPDATE OF hash, published, modified, changed, fetched, gone_at ON record
FOR EACH ROW WHEN (old.hash <> new.hash OR old.published IS DISTINCT FROM new.published OR
  old.modified IS DISTINCT FROM new.modified OR old.changed IS DISTINCT FROM new.changed OR
  old.gone_at IS DISTINCT FROM new.gone_at OR
  (old.fetched IS DISTINCT FROM new.fetched AND new.modified > coalesce(old.fetched, old.seen)))
EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_record_gone AFTER DELETE ON record FOR EACH ROW EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_media_new AFTER INSERT ON media FOR EACH ROW EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_media AFTER UPDATE ON media FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_hit_new AFTER INSERT ON hit FOR EACH ROW EXECUTE FUNCTION count_generation();

-- Full-text index: the folded words of a record (see docs/disk.md); rowid =
-- record.row.
CREATE TABLE search (
  rowid bigint PRIMARY KEY,
  words tsvector NOT NULL
);
CREATE INDEX search_words ON search USING gin (words);

-- What SQLite has, and PostgreSQL calls by another name.
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE
RETURN strpos($1, $2);
CREATE FUNCTION instr(bytea, text) RETURNS integer LANGUAGE sql STABLE
RETURN position(convert_to($2, 'UTF8') IN $1);

-- Bytes as JSON, NULL if PostgreSQL cannot read them so.
CREATE FUNCTION readable(bytea) RETURNS jsonb LANGUAGE plpgsql STABLE STRICT AS $$
BEGIN
  RETURN convert_from($1, 'UTF8')::jsonb;
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

-- For people with psql.
CREATE VIEW item AS
SELECT kind, id, title, spot, path, editor, url,
       to_timestamp(published / 1000) AS published,
       to_timestamp(modified / 1000) AS modified,
       to_timestamp(gone_at / 1000) AS gone_at,
       tags, writers, related, address,
       readable(single) ->> 'Text' AS text
FROM record LEFT JOIN raw USING (row);

CREATE INDEX record_waiting ON record (kind) WHERE fetched IS NULL AND gone_at IS NULL;
CREATE INDEX raw_unlisted ON raw (row) WHERE list IS NULL;

CREATE INDEX record_due ON record (recheck_after, fetched)
WHERE fetch_due = 0 AND recheck = 0 AND gone_at IS NULL AND kind NOT IN ('page', 'folder');

-- Answers that contradict what is kept of a record, and are not believed yet.
CREATE TABLE doubt (
  row   bigint NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  part  text COLLATE "C" NOT NULL,
  claim text COLLATE "C" NOT NULL,
  times bigint NOT NULL,
  last  bigint NOT NULL,
  PRIMARY KEY (row, part)
);

CREATE TABLE published_list (
  dir     text COLLATE "C" PRIMARY KEY,
  title   text COLLATE "C" NOT NULL,
  pages   bigint NOT NULL,
  months text COLLATE "C" NOT NULL,
  feeds  text COLLATE "C" NOT NULL DEFAULT ''
);

-- Version 6: what living sources sent. To read it:
--   psql -Atc "SELECT encode(data, 'hex') FROM original WHERE type = 'posts' AND id = '3' AND replaced = 0" | xxd -r -p | zstd -dc
CREATE TABLE original (
  type      text COLLATE "C" NOT NULL,
  id        text COLLATE "C" NOT NULL,
  part      text COLLATE "C" NOT NULL,
  replaced  bigint NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  record    text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  reader    text COLLATE "C" NOT NULL,
  fetched   bigint NOT NULL,
  data      bytea NOT NULL
);
CREATE UNIQUE INDEX original_key ON original (md5(type), md5(id), part, replaced);
CREATE INDEX original_record ON original (md5(record), kind) WHERE record <> '';
CREATE INDEX original_reader ON original (reader) WHERE record <> '' AND replaced = 0;
ALTER TABLE original ALTER COLUMN data SET STORAGE EXTERNAL; -- it is compressed

-- Version 7: what readers of originals have not understood.
ALTER TABLE original ADD COLUMN notes text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX original_notes ON original (notes) WHERE notes <> '' AND replaced = 0;

-- Version 8: documents, sounds and films.
ALTER TABLE image ADD COLUMN attached text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX image_attached ON image (row) WHERE attached <> '';
CREATE TABLE download (
  url      text COLLATE "C" NOT NULL,
  etag     text COLLATE "C" NOT NULL,
  modified text COLLATE "C" NOT NULL,
  length   bigint NOT NULL,
  received bigint NOT NULL,
  due      bigint NOT NULL,
  tries    bigint NOT NULL
);
CREATE UNIQUE INDEX download_key ON download (md5(url));
CREATE INDEX download_url ON download USING hash (url);

-- Version 9: cards of pages of other sites.
ALTER TABLE media ADD COLUMN page_title text COLLATE "C" NOT NULL DEFAULT '';
DROP TRIGGER generation_media ON media;
CREATE TRIGGER generation_media AFTER UPDATE ON media FOR EACH ROW WHEN (old.name <> new.name OR old.page_title <> new.page_title) EXECUTE FUNCTION count_generation();

-- Version 10: which records changed since a build. See schema.sql.
CREATE TABLE stamp (
  row    bigint PRIMARY KEY,
  number bigint NOT NULL
);
CREATE INDEX stamp_number ON stamp (number);
CREATE FUNCTION stamp_row() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO stamp VALUES (coalesce(new.row, old.row), coalesce((SELECT max(number) FROM stamp), 0) + 1)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
  RETURN NULL;
END $$;
CREATE FUNCTION stamp_shown() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO stamp SELECT DISTINCT row, coalesce((SELECT max(number) FROM stamp), 0) + 1 FROM image
  WHERE md5(url) = md5(coalesce(new.url, old.url)) AND url = coalesce(new.url, old.url)
  ON CONFLICT (row) DO UPDATE SET number = excluded.number;
  RETURN NULL;
END $$;
CREATE TRIGGER stamp_record_row AFTER INSERT OR DELETE ON record FOR EACH ROW EXECUTE FUNCTION stamp_row();
CREATE TRIGGER stamp_record AFTER UPDATE OF type, path, title, spot, url, lead, published, modified, tags, writers, related, links, hash, seen,
  changed, gone_at, aside, address, paths, ordinal, access ON record
FOR EACH ROW EXECUTE FUNCTION stamp_row();
CREATE TRIGGER stamp_record_fetched AFTER UPDATE OF fetched ON record
FOR EACH ROW WHEN (old.fetched IS DISTINCT FROM new.fetched) EXECUTE FUNCTION stamp_row();
CREATE TRIGGER stamp_image AFTER INSERT OR DELETE ON image FOR EACH ROW EXECUTE FUNCTION stamp_row();
CREATE TRIGGER stamp_former_url AFTER INSERT OR DELETE ON former_url FOR EACH ROW EXECUTE FUNCTION stamp_row();
CREATE TRIGGER stamp_revision AFTER INSERT OR UPDATE OR DELETE ON revision FOR EACH ROW EXECUTE FUNCTION stamp_row();
CREATE TRIGGER stamp_media AFTER INSERT OR UPDATE OR DELETE ON media FOR EACH ROW EXECUTE FUNCTION stamp_shown();
CREATE TRIGGER stamp_body AFTER DELETE ON body FOR EACH ROW EXECUTE FUNCTION stamp_row();

-- Version 11: comments of readers.
CREATE TABLE comment (
  id      text COLLATE "C" PRIMARY KEY,
  record  text COLLATE "C" NOT NULL,
  parent  text COLLATE "C" NOT NULL,
  author  text COLLATE "C" NOT NULL,
  written bigint NOT NULL,
  html    text COLLATE "C" NOT NULL,
  hash    bytea NOT NULL,
  pass    bigint NOT NULL,
  lacked  bigint
);
CREATE INDEX comment_record ON comment (record, written, id, hash);
CREATE INDEX comment_pass ON comment (pass);
CREATE TRIGGER generation_comment_new AFTER INSERT ON comment FOR EACH ROW EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_comment AFTER UPDATE OF hash ON comment FOR EACH ROW WHEN (old.hash <> new.hash) EXECUTE FUNCTION count_generation();
CREATE TRIGGER generation_comment_gone AFTER DELETE ON comment FOR EACH ROW EXECUTE FUNCTION count_generation();
