-- The first schema. Migrations are numbered and never edited once released.
-- Times are Unix seconds, UTC. Keys and Message-ID secrets are stored as SHA-256.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE player (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  userid   TEXT NOT NULL COLLATE NOCASE UNIQUE,
  created  INTEGER NOT NULL,
  closed   INTEGER,                      -- signed off
  barred   TEXT,                         -- the keeper's reason
  password TEXT,                         -- Argon2 hash
  settings TEXT NOT NULL DEFAULT '{}'    -- JSON
) STRICT;

-- Proved addresses only; one that is yet to be proved waits in `question`.
CREATE TABLE address (
  id           INTEGER PRIMARY KEY,
  player       INTEGER NOT NULL REFERENCES player(id),
  address      TEXT NOT NULL COLLATE NOCASE UNIQUE,
  proved       INTEGER NOT NULL,
  main         INTEGER NOT NULL DEFAULT 0,
  bounces      INTEGER NOT NULL DEFAULT 0,  -- in a row
  failing      INTEGER                      -- since
) STRICT;
CREATE INDEX address_player ON address(player);

CREATE TABLE block (
  player  INTEGER NOT NULL REFERENCES player(id),
  blocked INTEGER NOT NULL REFERENCES player(id),
  PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE TABLE vacation (
  id     INTEGER PRIMARY KEY,
  player INTEGER NOT NULL REFERENCES player(id),
  first  TEXT NOT NULL,                  -- ISO date in the player's time zone, inclusive
  last   TEXT NOT NULL,
  start  INTEGER NOT NULL,               -- the same as instants
  end    INTEGER NOT NULL
) STRICT;
CREATE INDEX vacation_player ON vacation(player);

-- What an outgoing mail gave its reader: a reply key, a Message-ID with a secret part, a bounce key.
CREATE TABLE sent (
  id       INTEGER PRIMARY KEY,
  player   INTEGER REFERENCES player(id),
  address  TEXT,                         -- only where the reader is no player
  purpose  TEXT NOT NULL,                -- 'match', 'account', 'question', 'invitation', 'challenge'
  ref      INTEGER,                      -- the match, question or challenge
  turn     INTEGER,                      -- the turn to be played when the mail was made
  key      BLOB NOT NULL UNIQUE,
  mid      BLOB NOT NULL UNIQUE,
  bounce   BLOB UNIQUE,
  created  INTEGER NOT NULL,
  revoked  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sent_player ON sent(player);

-- The thread of one match for one reader: the Message-IDs that tie its mails together.
CREATE TABLE thread (
  player INTEGER NOT NULL REFERENCES player(id),
  match  INTEGER NOT NULL,
  first  TEXT NOT NULL,
  last   TEXT NOT NULL,
  PRIMARY KEY (player, match)
) STRICT, WITHOUT ROWID;

CREATE TABLE challenge (
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  player  INTEGER NOT NULL REFERENCES player(id),
  game    TEXT NOT NULL,
  terms   TEXT NOT NULL,                 -- JSON
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  open    INTEGER NOT NULL,              -- anyone may accept
  repeats INTEGER NOT NULL DEFAULT 1,    -- matches still to come from an open challenge
  seats   INTEGER NOT NULL,              -- how many players the match has
  state   TEXT NOT NULL                  -- 'waiting', 'begun', 'declined', 'withdrawn', 'expired'
) STRICT;
CREATE INDEX challenge_state ON challenge(state, expires);
CREATE INDEX challenge_player ON challenge(player, state);

CREATE TABLE invitee (
  challenge INTEGER NOT NULL REFERENCES challenge(number),
  place     INTEGER NOT NULL,            -- order of the names
  player    INTEGER REFERENCES player(id),
  address   TEXT COLLATE NOCASE,         -- invited by address; until the friend has signed up
  accepted  INTEGER,
  PRIMARY KEY (challenge, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitee_player ON invitee(player);
CREATE INDEX invitee_address ON invitee(address);

-- Addresses without an account: what was sent there and who wants no more.
CREATE TABLE stranger (
  address TEXT PRIMARY KEY COLLATE NOCASE,
  stopped INTEGER,
  invited INTEGER
) STRICT, WITHOUT ROWID;

-- A running match is its head and its events; the columns beside them are derived.
CREATE TABLE match (
  number   INTEGER PRIMARY KEY AUTOINCREMENT,
  head     TEXT NOT NULL,                -- JSON
  game     TEXT NOT NULL,
  status   TEXT NOT NULL,
  turn     INTEGER NOT NULL,
  to_move  INTEGER,                      -- the player
  deadline INTEGER,
  wake     INTEGER,                      -- when a timer next has something to do: deadline or reminder
  started  INTEGER NOT NULL,
  private  INTEGER NOT NULL,
  trouble  TEXT                          -- set aside: why it cannot be replayed
) STRICT;
CREATE INDEX match_wake ON match(wake) WHERE wake IS NOT NULL;

CREATE TABLE event (
  match INTEGER NOT NULL REFERENCES match(number) ON DELETE CASCADE,
  seq   INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  body  TEXT NOT NULL,                   -- JSON
  PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE seat (
  match  INTEGER NOT NULL REFERENCES match(number) ON DELETE CASCADE,
  seat   INTEGER NOT NULL,
  player INTEGER NOT NULL REFERENCES player(id),
  PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seat_player ON seat(player);

CREATE TABLE watcher (
  match  INTEGER NOT NULL REFERENCES match(number) ON DELETE CASCADE,
  player INTEGER NOT NULL REFERENCES player(id),
  PRIMARY KEY (match, player)
) STRICT, WITHOUT ROWID;

-- Finished matches.
CREATE TABLE archived (
  number  INTEGER PRIMARY KEY,
  head    TEXT NOT NULL,
  events  TEXT NOT NULL,                 -- JSON array
  game    TEXT NOT NULL,
  options TEXT NOT NULL,
  turns   INTEGER NOT NULL,
  opening TEXT NOT NULL,                 -- the first turns, one blank between
  result  TEXT NOT NULL,
  reason  TEXT NOT NULL,
  rated   INTEGER NOT NULL,
  private INTEGER NOT NULL,
  started INTEGER NOT NULL,
  ended   INTEGER NOT NULL
) STRICT;
CREATE INDEX archived_ended ON archived(ended DESC, number DESC);
CREATE INDEX archived_game ON archived(game, ended DESC);

CREATE TABLE archived_seat (
  match  INTEGER NOT NULL REFERENCES archived(number) ON DELETE CASCADE,
  seat   INTEGER NOT NULL,
  userid TEXT NOT NULL COLLATE NOCASE,   -- imported records name people without an account
  player INTEGER,
  won    INTEGER,                        -- 1, 0, null for a draw
  PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX archived_seat_userid ON archived_seat(userid, match);

CREATE TABLE rating (
  player     INTEGER NOT NULL REFERENCES player(id),
  game       TEXT NOT NULL,
  rating     REAL NOT NULL,
  deviation  REAL NOT NULL,
  volatility REAL NOT NULL,
  matches    INTEGER NOT NULL,
  won        INTEGER NOT NULL,
  drawn      INTEGER NOT NULL,
  changed    INTEGER NOT NULL,
  PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

-- Every mail that came in, known by its fingerprint. `raw` is kept only while the mail waits, is held or set aside.
CREATE TABLE inbox (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint BLOB NOT NULL UNIQUE,
  received    INTEGER NOT NULL,
  fate        TEXT NOT NULL,             -- 'done', 'robot', 'bounce', 'list', 'own', 'refused', 'held', 'waiting', 'set-aside', 'failing', 'dropped'
  reason      TEXT,
  attempts    INTEGER NOT NULL DEFAULT 0,
  sender      TEXT NOT NULL DEFAULT '[]', -- the envelope as JSON, kept with `raw`
  raw         BLOB
) STRICT;
CREATE INDEX inbox_fate ON inbox(fate, id);

-- "Did you write this?", "is this your address?", "close your account?": what a `yes` would do.
CREATE TABLE question (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  player  INTEGER REFERENCES player(id), -- null for a signup
  address TEXT,                          -- whom was asked, where not the player
  kind    TEXT NOT NULL,                 -- 'held', 'signup', 'address', 'signoff'
  body    TEXT NOT NULL,                 -- JSON
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  state   TEXT NOT NULL,                 -- 'waiting', 'yes', 'dropped', 'expired'
  inbox   INTEGER REFERENCES inbox(id)
) STRICT;
CREATE INDEX question_state ON question(state, expires);

CREATE TABLE outbox (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient     TEXT NOT NULL,
  envelope_from TEXT,                    -- null for the empty one
  message_id    TEXT NOT NULL,
  player        INTEGER,
  kind          TEXT NOT NULL,           -- 'answer', 'notice', 'reminder', 'digest'
  stale_after   INTEGER,                 -- a reminder is dropped after this instant
  raw           BLOB NOT NULL,
  created       INTEGER NOT NULL,
  attempts      INTEGER NOT NULL DEFAULT 0,
  next_try      INTEGER NOT NULL,
  state         TEXT NOT NULL,           -- 'queued', 'failed'; what was sent is deleted
  last_reply    TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox(state, next_try, id);
CREATE INDEX outbox_recipient ON outbox(recipient, id);

-- Mails sent in each hour, for the breaker.
CREATE TABLE sent_hour (
  hour  INTEGER PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT;

-- Answers in each hour to one reader.
CREATE TABLE answered (
  who   TEXT NOT NULL,                   -- 'player:7' or the SHA-256 of a stranger's address
  hour  INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (who, hour)
) STRICT, WITHOUT ROWID;

-- Things that happened to a player who gets a digest, until it is sent.
CREATE TABLE digest (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  player  INTEGER NOT NULL REFERENCES player(id),
  match   INTEGER,
  at      INTEGER NOT NULL,
  item    TEXT NOT NULL                  -- JSON
) STRICT;
CREATE INDEX digest_player ON digest(player, id);

-- Where an IMAP source stands.
CREATE TABLE mailbox (
  name        TEXT PRIMARY KEY,
  uidvalidity INTEGER NOT NULL,
  uid         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What the keeper changed: who, when and why.
CREATE TABLE audit (
  id   INTEGER PRIMARY KEY AUTOINCREMENT,
  at   INTEGER NOT NULL,
  who  TEXT NOT NULL,
  what TEXT NOT NULL,
  why  TEXT NOT NULL
) STRICT;
