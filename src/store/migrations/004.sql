-- Mails in the outbox are kept packed: their HTML takes a sixth of its room then, and each try writes the row anew.

ALTER TABLE outbox ADD COLUMN packed INTEGER NOT NULL DEFAULT 0;  -- 1: `raw` is its length (4 bytes, little-endian) and an LZ4 block
