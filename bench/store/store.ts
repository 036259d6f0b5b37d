import { readdirSync, readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { applyAnswer } from '../../relay/payments/answer.ts';
import type { Attempt } from '../../relay/payments/attempt.ts';
import type { Quota } from '../../relay/payments/limits.ts';
import { type Rules, sessionOf } from '../../relay/payments/order.ts';
import type { Session } from '../../relay/payments/session.ts';
import { startAttempt } from '../../relay/payments/session-steps.ts';
import { writtenOrder } from '../../relay/store/order-changes.ts';
import { openPostgres } from '../../relay/store/postgres/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { createSession } from '../../shared/checkout/session.ts';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { median } from '../harness/micro.ts';
import { sessionBody } from '../harness/payment.ts';
import type { Benchmark, Row } from '../harness/report.ts';

/** Runs of each load, in turns with the baseline's, of which the median counts. */
const ROUNDS = 8;

const loads = [
  { what: '50 at once', payments: 1000, concurrency: 50 },
  { what: '1 at once', payments: 150, concurrency: 1 },
] as const;

/** What one payment of a run cost. */
type Cost = { relay_us: number; server_us: number; per_second: number };

/** Something that makes payments in a PostgreSQL database: `prepare` what is there before, then `pay` each. */
type Payer = { prepare(count: number): Promise<() => Promise<void>>; close(): Promise<void> };

/** What the three calls of the PostgreSQL store for a payment cost, against three bare statements. */
export const store: Benchmark = async (say) => {
  const postgres = await startPostgres({ fsync: true });
  const payers: Record<string, Payer> = {};
  try {
    const [bare, own] = [await postgres.database(), await postgres.database()];
    payers['three bare statements (baseline)'] = await bareStatements(bare);
    payers['the store'] = throughStore(await openPostgres(own));
    const rows = await comparePayers(payers, await serverOf(own), say);
    return {
      rows,
      targets: [],
      notes: [
        'A payment: its session and order are read, its attempt starts (three limits counted), its answer is settled (one webhook).',
        'The baseline reads a row, inserts one of 500 bytes and updates it, each by itself, the last two durable.',
        'CPU of the relay is that of the benchmark’s process; CPU of the server is that of all its processes.',
      ],
    };
  } finally {
    for (const payer of Object.values(payers)) await payer.close();
    await postgres.close();
  }
};

/** Runs every load with every payer in turns. The first payer is the baseline. */
export async function comparePayers(
  payers: Readonly<Record<string, Payer>>,
  server: number,
  say: (line: string) => void,
  rounds = ROUNDS,
): Promise<Row[]> {
  const found = new Map<string, Cost[]>();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { what, payments, concurrency } of loads) {
      for (const [name, payer] of Object.entries(payers)) {
        const pay = await payer.prepare(payments);
        const cost = await costOf(pay, payments, concurrency, server);
        if (round > 0) found.set(`${name}, ${what}`, [...(found.get(`${name}, ${what}`) ?? []), cost]);
      }
    }
  }
  const [base = ''] = Object.keys(payers);
  return Object.keys(payers).flatMap((name) =>
    loads.map(({ what }): Row => {
      const costs = found.get(`${name}, ${what}`) ?? [];
      const bases = found.get(`${base}, ${what}`) ?? [];
      const of = (pick: (cost: Cost) => number): number => median(costs.map(pick));
      const ratio = (pick: (cost: Cost) => number): number =>
        median(costs.map((cost, round) => pick(cost) / (bases[round] ? pick(bases[round]) : Number.NaN)));
      return {
        what: `${name}, ${what}`,
        figures: {
          'relay CPU µs': of(({ relay_us }) => relay_us),
          'relay ratio': ratio(({ relay_us }) => relay_us),
          'server CPU µs': of(({ server_us }) => server_us),
          'server ratio': ratio(({ server_us }) => server_us),
          'per s': of(({ per_second }) => per_second),
        },
      };
    }),
  );
}

async function costOf(pay: () => Promise<void>, payments: number, concurrency: number, server: number): Promise<Cost> {
  let left = payments;
  const payer = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await pay();
    }
  };
  const [cpu, serverCpu, start] = [process.cpuUsage(), cpuOfServer(server), performance.now()];
  await Promise.all(Array.from({ length: concurrency }, payer));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    relay_us: (user + system) / payments,
    server_us: usedSince(serverCpu, server) / payments,
    per_second: payments / seconds,
  };
}

async function bareStatements(address: string): Promise<Payer> {
  const pool = new Pool({ connectionString: address, max: 10 });
  await pool.query('CREATE TABLE bare (id BIGINT PRIMARY KEY, data TEXT NOT NULL)');
  const [data, next] = ['x'.repeat(500), 'y'.repeat(500)];
  let id = 0;
  return {
    async prepare() {
      return async () => {
        const own = ++id;
        await pool.query({ name: 'read', text: 'SELECT data FROM bare WHERE id = $1', values: [own] });
        await pool.query({ name: 'insert', text: 'INSERT INTO bare VALUES ($1, $2)', values: [own, data] });
        await pool.query({ name: 'update', text: 'UPDATE bare SET data = $2 WHERE id = $1', values: [own, next] });
      };
    },
    close: () => pool.end(),
  };
}

const rules: Rules = {
  codes: { approved: ['3000'], declined: ['4100'], pending: [] },
  timeZone: 'UTC',
  attemptsPerSession: 5,
  orphanedMs: 60_000,
  resolve: { first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000, return_ms: 60_000 },
  returnMs: {},
};

const filled = {
  first_name: 'Ada',
  last_name: 'Byron',
  shopper_email: 'ada.byron@example.com',
  shopper_phone: '+55 11 91234-5678',
  document: '123.456.789-09',
  birth_date: '10-12-1985',
  billing_city: 'São Paulo',
  billing_address: 'Avenida Paulista 1578, apartamento 91',
  delivery_city: 'São Paulo',
  delivery_address: 'Rua Augusta 2203',
};

let made = 0;

/** Payments of sessions of their own, each with the three calls that the relay makes of its store. */
export function throughStore(store: Store): Payer {
  return {
    async prepare(count) {
      const sessions = Array.from({ length: count }, newSession);
      for (let from = 0; from < count; from += 100) {
        await Promise.all(sessions.slice(from, from + 100).map((session) => store.createSession(session)));
      }
      return async () => {
        const session = sessions.pop();
        if (session) await payOnce(store, session.id, ++made);
      };
    },
    close: () => store.close(),
  };
}

async function payOnce(store: Store, id: string, number: number): Promise<void> {
  const order = await store.orderOfSession(id);
  if (!order) throw new TypeError('no such session');
  const session = sessionOf(order, id);
  const at = new Date();
  const attempt: Attempt = {
    id: `at_${id}`,
    session_id: id,
    account: order.account,
    order_no: order.order_no,
    method: 'card',
    card: '411111******1111',
    amount: session.terms.order.amount,
    currency: session.terms.order.currency,
    revision: session.revision,
    started_at: at.toISOString(),
    state: { status: 'in_flight' },
  };
  const paying = { ...session, terms: { ...session.terms, filled } };
  const begun = startAttempt(order, paying, attempt, rules);
  const quotas = { counted: quotasOf(number), at: attempt.started_at };
  await expectWritten(store.writeOrder({ before: order, after: begun.order, events: [], quotas }));
  const sent = writtenOrder(order, begun.order);
  const result = { code: '0000', message: 'Success' };
  const outcome = { kind: 'approved', transaction_id: `T${id}`, result } as const;
  const decision = applyAnswer(sent, attempt.id, { ...outcome, card: attempt.card ?? '' }, new Date(), rules);
  const created_at = new Date().toISOString();
  const event = { id: `ev_${id}`, account: order.account, subject: id, type: 'session.approved', created_at } as const;
  const body = JSON.stringify({ type: event.type, timestamp: created_at, data: { ...attempt, ...outcome, filled } });
  await expectWritten(store.writeOrder({ before: sent, after: decision.order, events: [{ ...event, body }] }));
}

async function expectWritten(writing: Promise<{ kind: string }>): Promise<void> {
  const { kind } = await writing;
  if (kind !== 'written') throw new TypeError(`not written: ${kind}`);
}

const hour = 3_600_000;

function quotasOf(number: number): Quota[] {
  return [
    { name: 'ip', key: `ip of the benchmark's account, number ${number}`, most: 1_000_000, window_ms: hour },
    { name: 'card', key: `card of the benchmark's account, number ${number}`, most: 1_000_000, window_ms: hour },
    { name: 'account', key: 'the account of the benchmark', most: 10_000_000, window_ms: 60_000 },
  ];
}

function newSession(): Session {
  made += 1;
  const number = `${Date.now().toString(36)}${String(made).padStart(8, '0')}`;
  const { order, collect = [], return_url, locale } = createSession.parse(sessionBody(`B-${number}`));
  const now = Date.now();
  return {
    id: `cs_${number}aaaaaaaaaaaa`,
    account: 'bench',
    order_no: order.order_no,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + hour).toISOString(),
    revision: 1,
    version: 1,
    terms: {
      order,
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect,
      ...(return_url === undefined ? {} : { return_url }),
      ...(locale === undefined ? {} : { locale }),
    },
    state: { status: 'open' },
  };
}

/** The id of the main process of the server of a database. */
export async function serverOf(address: string): Promise<number> {
  const pool = new Pool({ connectionString: address, max: 1 });
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const parent = parentOf(String(rows[0]?.pid));
  await pool.end();
  return parent;
}

/** The CPU time in microseconds that each running process of a server used so far. */
function cpuOfServer(server: number): Map<string, number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = pids.filter((pid) => Number(pid) === server || parentOf(pid) === server);
  return new Map(own.map((pid) => [pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000]));
}

/** What the processes that still run used since. */
function usedSince(before: ReadonlyMap<string, number>, server: number): number {
  return [...cpuOfServer(server)].reduce((sum, [pid, now]) => sum + now - (before.get(pid) ?? 0), 0);
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
