-- Mails in the outbox are kept packed: their HTML takes a sixth of its room then, and each try writes the row anew. The
-- column has a new name, so that a program of the third schema that is still at work fails and sends no packed bytes.

ALTER TABLE outbox RENAME COLUMN raw TO bytes;
ALTER TABLE outbox ADD COLUMN packed INTEGER NOT NULL DEFAULT 0;  -- 1: `bytes` is their length (4 bytes, little-endian) and an LZ4 block
