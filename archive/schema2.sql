-- ayna archive, schema version 2: every address of a record.

-- Addresses at the source that a record had before, or has in another part of its
-- JSON. Its present one is record.url.
CREATE TABLE former_url (
  row INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
  url TEXT NOT NULL,  -- as received
  PRIMARY KEY (row, url)
) STRICT, WITHOUT ROWID;
INSERT INTO former_url (row, url)
SELECT DISTINCT row, found.url FROM (
  SELECT row, CASE WHEN json_valid(json) THEN trim(CAST(json ->> '$.Url' AS TEXT), char(9, 10, 13, 32)) END AS url FROM revision
  UNION ALL SELECT row, CASE WHEN json_valid(list) THEN trim(CAST(list ->> '$.Url' AS TEXT), char(9, 10, 13, 32)) END FROM raw
  UNION ALL SELECT row, CASE WHEN json_valid(single) THEN trim(CAST(single ->> '$.Url' AS TEXT), char(9, 10, 13, 32)) END FROM raw
) AS found JOIN record USING (row) WHERE found.url NOT IN ('', record.url);

-- Records taken out for good, with each address that other records may link: at the
-- source, and, until all of them is gone, without a slash in front, that of their page.
-- They are not stored again.
CREATE TABLE forgotten_records (
  kind TEXT NOT NULL,
  id   TEXT NOT NULL,
  url  TEXT NOT NULL,  -- '' in one row of each
  PRIMARY KEY (kind, id, url)
) STRICT, WITHOUT ROWID;
INSERT INTO forgotten_records SELECT kind, id, url FROM forgotten;
DROP TABLE forgotten;
ALTER TABLE forgotten_records RENAME TO forgotten;
CREATE INDEX guard_forgotten ON forgotten (url);
