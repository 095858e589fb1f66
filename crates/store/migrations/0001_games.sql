-- A game is its record: the header, then lines in order. `version` counts them, so that two tabs cannot both move.
CREATE TABLE game (
    id       TEXT PRIMARY KEY,
    kind     TEXT NOT NULL,
    header   TEXT NOT NULL,
    -- The key of the dice: secret until the end of the game stands among the lines.
    key      TEXT,
    -- What the lobby shows and the server needs beside the record, as JSON.
    about    TEXT NOT NULL,
    version  INTEGER NOT NULL DEFAULT 0,
    over     INTEGER NOT NULL DEFAULT 0,
    created  INTEGER NOT NULL,
    touched  INTEGER NOT NULL
) STRICT;

CREATE INDEX game_touched ON game (touched DESC);

CREATE TABLE line (
    game  TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    n     INTEGER NOT NULL,
    body  TEXT NOT NULL,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

-- Links: a token is never stored, only its hash. `role` is a seat's name, `host` or `spectator`.
CREATE TABLE link (
    hash     TEXT PRIMARY KEY,
    game     TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    role     TEXT NOT NULL,
    created  INTEGER NOT NULL,
    ended    INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX link_game ON link (game);

-- Small private facts of a role in a game: drafts, standing replies, notes. Never part of the record.
CREATE TABLE note (
    game   TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    role   TEXT NOT NULL,
    topic  TEXT NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (game, role, topic)
) STRICT, WITHOUT ROWID;

-- What is said at the table: `audience` is `table` or a side's letter.
CREATE TABLE talk (
    game      TEXT NOT NULL REFERENCES game (id) ON DELETE CASCADE,
    n         INTEGER NOT NULL,
    role      TEXT NOT NULL,
    audience  TEXT NOT NULL,
    body      TEXT NOT NULL,
    said      INTEGER NOT NULL,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
