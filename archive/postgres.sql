-- ayna archive in PostgreSQL (14 or later), schema version 1. The tables are
-- those of schema.sql; what a column holds is written there. To read a time:
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
  pictures  bytea,
  wanted    integer NOT NULL,
  recheck   integer NOT NULL,
  tries     bigint NOT NULL,
  again     bigint,
  pass      bigint NOT NULL,
  seen      bigint NOT NULL,
  listed    bigint NOT NULL,
  fetched   bigint,
  changed   bigint,
  vanished  bigint,
  address   text COLLATE "C"
);
CREATE UNIQUE INDEX record_kind_id ON record (kind, md5(id));
CREATE INDEX record_id ON record USING hash (id);
CREATE INDEX record_published ON record (kind, published DESC NULLS LAST);
CREATE INDEX record_modified ON record (kind, modified DESC NULLS LAST);
CREATE INDEX record_path ON record (md5(path), kind, published DESC NULLS LAST);
CREATE INDEX record_writer ON record (md5(writer_id), kind, published DESC NULLS LAST);
CREATE INDEX record_newest ON record (published DESC NULLS LAST);
CREATE INDEX record_vanished ON record (vanished) WHERE vanished IS NOT NULL;
CREATE INDEX record_wanted ON record (published DESC NULLS LAST) WHERE wanted = 1 OR recheck = 1;
CREATE INDEX record_seen ON record (seen);
CREATE INDEX record_pass ON record (kind, pass);

-- Rows are numbered as they arrive; there is one writer.
CREATE FUNCTION next_row() RETURNS bigint LANGUAGE sql
BEGIN ATOMIC
  SELECT coalesce(max(row), 0) + 1 FROM record;
END;
ALTER TABLE record ALTER COLUMN row SET DEFAULT next_row();

CREATE TABLE light (
  row  bigint PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  line text COLLATE "C" NOT NULL
);

CREATE VIEW line AS
SELECT row, kind || chr(31) || replace(id, chr(31), ' ') || chr(31) || replace(type, chr(31), ' ') || chr(31) ||
       replace(path, chr(31), ' ') || chr(31) || replace(url, chr(31), ' ') || chr(31) ||
       coalesce(published::text, '') || chr(31) || coalesce(modified::text, '') || chr(31) || seen::text || chr(31) ||
       coalesce(changed::text, '') || chr(31) || coalesce(fetched::text, '') || chr(31) ||
       coalesce(vanished::text, '') || chr(31) || upper(encode(substr(hash, 1, 12), 'hex')) || chr(31) ||
       coalesce(upper(encode(pictures, 'hex')), '') || chr(31) || coalesce(address, '') || chr(31) ||
       tags || chr(31) || writers || chr(31) || related || chr(31) || links AS line
FROM record;

CREATE FUNCTION keep_light() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO light SELECT line.row, line.line FROM line WHERE line.row = new.row
    ON CONFLICT (row) DO UPDATE SET line = excluded.line;
  RETURN NULL;
END $$;

CREATE TRIGGER record_inserted AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION keep_light();
CREATE TRIGGER record_updated AFTER UPDATE OF kind, id, type, path, url, published, modified, changed, fetched, vanished,
  hash, pictures, address, tags, writers, related, links ON record FOR EACH ROW EXECUTE FUNCTION keep_light();

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

CREATE TABLE found (
  id   text COLLATE "C" NOT NULL,
  json bytea NOT NULL
);
CREATE UNIQUE INDEX found_key ON found (md5(id));
CREATE INDEX found_id ON found USING hash (id);

CREATE TABLE forgotten (
  kind text COLLATE "C" NOT NULL,
  id   text COLLATE "C" NOT NULL,
  url  text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX forgotten_key ON forgotten (kind, md5(id));

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

-- Counts the edition, once in a transaction: each further time would leave one
-- more dead version of the same row to be passed by.
INSERT INTO state (name, value) VALUES ('edition', '0');
CREATE FUNCTION count_edition() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF current_setting('ayna.counted', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
    UPDATE state SET value = value::bigint + 1 WHERE name = 'edition';
    PERFORM set_config('ayna.counted', pg_current_xact_id()::text, true);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER edition_record_new AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION count_edition();
CREATE TRIGGER edition_record AFTER UPDATE OF hash, pictures, address, published, modified, changed, fetched, vanished ON record
FOR EACH ROW WHEN (old.hash <> new.hash OR old.pictures IS DISTINCT FROM new.pictures OR
  old.address IS DISTINCT FROM new.address OR old.published IS DISTINCT FROM new.published OR
  old.modified IS DISTINCT FROM new.modified OR old.changed IS DISTINCT FROM new.changed OR
  old.vanished IS DISTINCT FROM new.vanished OR
  (old.fetched IS DISTINCT FROM new.fetched AND new.modified > coalesce(old.fetched, old.seen)))
EXECUTE FUNCTION count_edition();
CREATE TRIGGER edition_record_gone AFTER DELETE ON record FOR EACH ROW EXECUTE FUNCTION count_edition();
CREATE TRIGGER edition_media_new AFTER INSERT ON media FOR EACH ROW EXECUTE FUNCTION count_edition();
CREATE TRIGGER edition_media AFTER UPDATE ON media FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION count_edition();
CREATE TRIGGER edition_hit_new AFTER INSERT ON hit FOR EACH ROW EXECUTE FUNCTION count_edition();

-- Full-text index: the folded words of a record (see docs/archive.md); rowid =
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
       to_timestamp(vanished / 1000) AS vanished,
       tags, writers, related, address,
       readable(single) ->> 'Text' AS text
FROM record LEFT JOIN raw USING (row);

-- What archives of this version may have been made without; it is made when they
-- are opened for writing.

CREATE INDEX IF NOT EXISTS record_waiting ON record (kind) WHERE fetched IS NULL AND vanished IS NULL;
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
  row   bigint NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  part  text COLLATE "C" NOT NULL,
  claim text COLLATE "C" NOT NULL,
  times bigint NOT NULL,
  last  bigint NOT NULL,
  PRIMARY KEY (row, part)
);

CREATE TABLE IF NOT EXISTS teaser (
  row  bigint PRIMARY KEY REFERENCES record (row) ON DELETE CASCADE,
  hash bytea NOT NULL
);

CREATE TABLE IF NOT EXISTS published_list (
  dir     text COLLATE "C" PRIMARY KEY,
  title   text COLLATE "C" NOT NULL,
  pages   bigint NOT NULL,
  volumes text COLLATE "C" NOT NULL
);

DO $$ BEGIN
  IF to_regclass(quote_ident(current_schema()) || '.sheaf') IS NULL THEN
    CREATE TABLE sheaf (
      number bigint PRIMARY KEY,
      data   bytea NOT NULL
    );
    ALTER TABLE sheaf ALTER COLUMN data SET STORAGE EXTERNAL; -- compressing it would take longer than reading it

    CREATE FUNCTION untie_sheaf() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
    BEGIN
      DELETE FROM sheaf WHERE number = coalesce(new.row, old.row) / 32;
      RETURN NULL;
    END $body$;

    CREATE TRIGGER sheaf_new AFTER INSERT ON record FOR EACH ROW EXECUTE FUNCTION untie_sheaf();
    CREATE TRIGGER sheaf_changed AFTER UPDATE OF title, spot, lead, pictures ON record FOR EACH ROW
    WHEN (old.title <> new.title OR old.spot <> new.spot OR old.lead <> new.lead OR old.pictures IS DISTINCT FROM new.pictures)
    EXECUTE FUNCTION untie_sheaf();
    CREATE TRIGGER sheaf_gone AFTER DELETE ON record FOR EACH ROW EXECUTE FUNCTION untie_sheaf();

    CREATE FUNCTION untie_pictured() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $body$
    DECLARE shown text := CASE WHEN TG_OP = 'DELETE' THEN old.url ELSE new.url END;
    BEGIN
      DELETE FROM sheaf WHERE number IN (SELECT image.row / 32 FROM image WHERE md5(url) = md5(shown) AND url = shown);
      RETURN NULL;
    END $body$;

    CREATE TRIGGER sheaf_picture_new AFTER INSERT ON media FOR EACH ROW EXECUTE FUNCTION untie_pictured();
    CREATE TRIGGER sheaf_picture AFTER UPDATE OF name, type, width, height, bytes ON media FOR EACH ROW EXECUTE FUNCTION untie_pictured();
    CREATE TRIGGER sheaf_picture_gone AFTER DELETE ON media FOR EACH ROW EXECUTE FUNCTION untie_pictured();
  END IF;
END $$;
