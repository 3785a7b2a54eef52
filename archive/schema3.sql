-- ayna archive, schema version 3: records in several folders, and standing pages.

ALTER TABLE record ADD COLUMN paths TEXT NOT NULL DEFAULT '[]'; -- JSON: ["/spor/", "/kent/"]: all folders of a record in several, path first
ALTER TABLE record ADD COLUMN parent TEXT NOT NULL DEFAULT '';  -- of a standing page: id of the page above it, else ''
ALTER TABLE record ADD COLUMN ordinal INTEGER;                  -- of a standing page: its place among its siblings; NULL for any other record

DROP INDEX record_waiting;
CREATE INDEX record_waiting ON record (kind, path, paths) WHERE fetched IS NULL AND gone_at IS NULL;
CREATE INDEX record_standing ON record (row) WHERE ordinal IS NOT NULL;
