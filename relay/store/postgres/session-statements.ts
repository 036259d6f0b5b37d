import { insertEvents } from './events.ts';
import { answerKey, leading } from './keys.ts';
import { sessionColumns, values } from './rows.ts';

const insertSession = `INSERT INTO turnpike.sessions
  (id, account, order_no, status, version, revision, created_at, expires_at, started_at, terms, state)`;
const insertAttempt = 'INSERT INTO turnpike.attempts (id, session_id, account, order_no, started_at, data)';

/** Twelve values: those of a session's change, then its id and the version that it must be at. */
const updateSession = `UPDATE turnpike.sessions SET status = $1, version = $2, revision = $3, expires_at = $4,
  started_at = $5, next_look_at = $6, unknown_since = $7, needs_attention = $8, leased_until = NULL, terms = $9,
  state = $10, watch = $11`;
const atItsVersion = 'id = $12 AND version = $2 - 1';

/** Takes the order of the one row of `from`, unless somebody has it: who comes at the same time waits here. */
const takeOrder = (order: string, from: string): string => `INSERT INTO turnpike.orders (account, order_no, hold)
  SELECT ${order}, 'held' FROM ${from} ON CONFLICT (account, order_no) DO UPDATE SET hold = 'held'
  WHERE orders.hold = 'free' RETURNING account`;

/** A payment with its session: eleven values of the session, six of the attempt, four of the key where there is one. */
function startPayment(key: { own: string; lead: string } | undefined): string {
  return `WITH own AS (${key ? key.own : 'SELECT 1'}),
    taken AS (${takeOrder('$2, $3', 'own')}),
    made AS (${insertSession} SELECT ${values(1, 8)}, $9::text, $10, $11 FROM taken)
    ${key ? `, led AS (${key.lead})` : ''},
    sent AS (${insertAttempt} SELECT ${values(12, 6)} FROM taken)
    SELECT EXISTS (SELECT 1 FROM own) AS own, EXISTS (SELECT 1 FROM taken) AS made`;
}

/** Gives out rows that nobody else works on; `$1` is now, `$2` the lease's end, `$3` how many. */
function lease(found: string, order: string): string {
  return `WITH due AS (SELECT id FROM turnpike.sessions WHERE ${found}
      AND (leased_until IS NULL OR leased_until <= $1) ORDER BY ${order} LIMIT $3 FOR UPDATE SKIP LOCKED),
    leased AS (UPDATE turnpike.sessions AS s SET leased_until = $2 FROM due WHERE s.id = due.id RETURNING s.*)
    SELECT ${sessionColumns} FROM leased ORDER BY ${order}`;
}

/** The statements about sessions, their attempts and orders. */
export const sql = {
  create: {
    name: 'create-session',
    text: `WITH made AS (${insertSession} SELECT ${values(1, 8)}, $9::text, $10, $11 WHERE NOT EXISTS (SELECT 1
        FROM turnpike.orders WHERE account = $2 AND order_no = $3 AND hold <> 'free') RETURNING id),
      answered AS (${answerKey(12, 'EXISTS (SELECT 1 FROM made)')})
      SELECT id FROM made`,
  },
  session: { name: 'session', text: `SELECT ${sessionColumns} FROM turnpike.sessions WHERE id = $1` },
  attempts: {
    name: 'attempts-of-order',
    text: 'SELECT data FROM turnpike.attempts WHERE account = $1 AND order_no = $2 ORDER BY started_at, id',
  },
  hold: { name: 'hold', text: 'SELECT hold FROM turnpike.orders WHERE account = $1 AND order_no = $2' },
  start: {
    name: 'start-attempt',
    text: `WITH found AS (SELECT account, order_no FROM turnpike.sessions WHERE ${atItsVersion} FOR UPDATE),
      taken AS (${takeOrder('account, order_no', 'found')}),
      moved AS (${updateSession} FROM taken WHERE id = $12),
      sent AS (${insertAttempt} SELECT ${values(13, 6)} FROM taken)
      SELECT EXISTS (SELECT 1 FROM found) AS found, EXISTS (SELECT 1 FROM taken) AS started`,
  },
  pay: { name: 'start-payment', text: startPayment(undefined) },
  payWithKey: {
    name: 'start-payment-with-key',
    text: startPayment(leading(18, '$1', 'EXISTS (SELECT 1 FROM taken)')),
  },
  settle: {
    name: 'settle',
    text: `WITH moved AS (${updateSession} WHERE ${atItsVersion} RETURNING account, order_no),
      settled AS (UPDATE turnpike.attempts SET data = $13, paid_transaction_id = $14 FROM moved WHERE id = $15),
      held AS (INSERT INTO turnpike.orders (account, order_no, hold) SELECT account, order_no, $16::text FROM moved
        WHERE $16::text IS NOT NULL ON CONFLICT (account, order_no) DO UPDATE SET hold = excluded.hold
        WHERE orders.hold <> 'paid'),
      told AS (${insertEvents(17, 'EXISTS (SELECT 1 FROM moved)')})
      SELECT 1 FROM moved`,
  },
  update: {
    name: 'update-session',
    text: `WITH moved AS (${updateSession} WHERE ${atItsVersion} RETURNING id),
      told AS (${insertEvents(13, 'EXISTS (SELECT 1 FROM moved)')})
      SELECT 1 FROM moved`,
  },
  leaseDue: { name: 'lease-due', text: lease('next_look_at <= $1 AND account = ANY ($4::text[])', 'next_look_at') },
  leaseStranded: {
    name: 'lease-stranded',
    text: lease("status = 'processing' AND started_at <= $4", 'started_at'),
  },
  leaseExpirable: { name: 'lease-expirable', text: lease("status = 'open' AND expires_at <= $1", 'expires_at') },
};
