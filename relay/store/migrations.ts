/** The SQLite schema, step by step; `PRAGMA user_version` tells how many steps a file has had. Never edit a step. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    status TEXT NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    started_at TEXT,
    next_look_at TEXT,
    terms TEXT NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_due ON sessions (next_look_at) WHERE next_look_at IS NOT NULL;
  CREATE INDEX sessions_processing ON sessions (started_at) WHERE status = 'processing';
  CREATE INDEX sessions_open ON sessions (expires_at) WHERE status = 'open';

  CREATE TABLE attempts (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    started_at TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_of_order ON attempts (account, order_no, started_at);

  CREATE TABLE orders (
    account TEXT NOT NULL,
    order_no TEXT NOT NULL,
    hold TEXT NOT NULL CHECK (hold IN ('free', 'held', 'paid')),
    PRIMARY KEY (account, order_no)
  ) STRICT, WITHOUT ROWID;
  `,
];
