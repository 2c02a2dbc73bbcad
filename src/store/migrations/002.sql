-- Positions of finished matches, so that all matches can be found in which one stood.

CREATE TABLE position (
  key    INTEGER NOT NULL,               -- the first 8 bytes of the SHA-256 of its canonical form
  number INTEGER NOT NULL,               -- the match
  turn   INTEGER NOT NULL,               -- turns played by then
  PRIMARY KEY (key, number, turn)
) STRICT, WITHOUT ROWID;

-- The version of the canonical form that a match's positions are entered under; 0 while they are not. What was archived
-- before this migration is made up for by the first search, or by `admin rebuild`.
ALTER TABLE archived ADD COLUMN positions INTEGER NOT NULL DEFAULT 0;
CREATE INDEX archived_positions ON archived(positions);
