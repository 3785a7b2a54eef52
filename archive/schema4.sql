-- ayna archive, schema version 4: records whose text not everybody reads whole.

ALTER TABLE record ADD COLUMN access TEXT NOT NULL DEFAULT ''; -- the service's Access: members, or '' for everybody
UPDATE record SET access = 'members' WHERE row IN (
  SELECT row FROM raw WHERE instr(coalesce(single, list), '"members"') > 0
  AND CASE WHEN json_valid(coalesce(single, list)) THEN coalesce(single, list) ->> '$.Access' END = 'members');
