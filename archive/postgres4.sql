-- ayna archive in PostgreSQL, schema version 4. schema4.sql explains it.

ALTER TABLE record ADD COLUMN access text COLLATE "C" NOT NULL DEFAULT '';
UPDATE record SET access = 'members' WHERE row IN (
  SELECT row FROM raw WHERE position('"members"'::bytea IN coalesce(single, list)) > 0 AND readable(coalesce(single, list)) ->> 'Access' = 'members');
