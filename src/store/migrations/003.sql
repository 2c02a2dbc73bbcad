-- The order in which matches were archived, which is the order in which they were rated: a match that is lost on time
-- is archived later than it ended. 0 for matches of before this was noted; those are ordered by their ends.

ALTER TABLE archived ADD COLUMN filed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX archived_filed ON archived(filed);
