-- ayna archive in PostgreSQL, schema version 3. schema3.sql explains it.

ALTER TABLE record ADD COLUMN paths text COLLATE "C" NOT NULL DEFAULT '[]';
ALTER TABLE record ADD COLUMN parent text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN ordinal bigint;

CREATE INDEX record_standing ON record (row) WHERE ordinal IS NOT NULL;
