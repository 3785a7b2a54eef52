-- ayna archive in PostgreSQL, schema version 5. schema5.sql explains it.

ALTER TABLE published_list ADD COLUMN feeds text COLLATE "C" NOT NULL DEFAULT '';
UPDATE published_list SET feeds = split_part(months, ' ', 1), months = substr(months, length(split_part(months, ' ', 1)) + 2)
  WHERE months LIKE 'none%' OR months LIKE 'one%';
UPDATE published_list SET months = CASE months WHEN '' THEN '[]' ELSE '["' || replace(months, ' ', '","') || '"]' END;
