-- ayna archive in PostgreSQL, schema version 2. schema2.sql explains it.

CREATE TABLE former_url (
  row bigint NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  url text COLLATE "C" NOT NULL
);
CREATE UNIQUE INDEX former_url_key ON former_url (row, md5(url));
INSERT INTO former_url (row, url)
SELECT DISTINCT row, found.url FROM (
  SELECT row, btrim(readable(json) ->> 'Url', E' \t\r\n') COLLATE "C" AS url FROM revision
  UNION ALL SELECT row, btrim(readable(list) ->> 'Url', E' \t\r\n') COLLATE "C" FROM raw
  UNION ALL SELECT row, btrim(readable(single) ->> 'Url', E' \t\r\n') COLLATE "C" FROM raw
) AS found JOIN record USING (row) WHERE found.url NOT IN ('', record.url);

DROP INDEX forgotten_key;
CREATE UNIQUE INDEX forgotten_key ON forgotten (kind, md5(id), md5(url));
