import {
  afterPrefix,
  candidateFrom,
  changeOfTerms,
  type Describe,
  findOrders,
  type Listing,
  type ListReads,
  operationWalks,
} from '../listing.ts';
import { operationFrom, type Row } from '../rows.ts';
import type { Step } from '../sql/plan.ts';
import type { OrderKey, Store } from '../store.ts';
import { sql as orderSql } from './orders/order-statements.ts';
import { wholeOrder } from './orders/orders.ts';
import { CALL_MS, type Database, type Run } from './server/database.ts';

type ListMethods = Pick<
  Store,
  'refreshList' | 'searchOrders' | 'ordersOf' | 'oldestOrders' | 'operationsOf' | 'listOperations'
>;

/** The list of orders, and the operations of each. */
export function postgresListing(db: Database): ListMethods {
  const reads: ListReads = {
    walk: async (account, term, { created_at, id }, from, limit) =>
      (await db.read(sql.walk, account, term, from, created_at, id, limit)).map(candidateFrom),
    startingWith: async (account, prefix, limit) => {
      const range = [account, prefix, afterPrefix(prefix)] as const;
      // Terms alone first: of a short prefix nearly all orders are found, and none of them is of use.
      if ((await db.read(sql.startsBeyond, ...range, limit)).length > 0) return undefined;
      return (await db.read(sql.startingWith, ...range, limit)).map(candidateFrom);
    },
  };

  return {
    refreshList: async (limit, describe, whenBusy = 'wait') => {
      // Nearly always nothing waits.
      if ((await db.read(sql.waits)).length === 0) return 0;
      // What a crash of the server undoes waits again.
      return db.transactionHasty(async (run) => {
        // One relay at a time: an order that was read earlier must not be written later.
        const [, [locked] = []] = await run([sql.cutOff], [whenBusy === 'wait' ? sql.lock : sql.tryLock]);
        if (locked?.locked === false) return 0;
        const [waiting = []] = await run([sql.take, limit]);
        await listAll(run, waiting, describe);
        await listOperations(run, waiting, describe);
        return waiting.length;
      });
    },

    searchOrders: (search) => findOrders(reads, search),

    ordersOf: async (account, orderNos) => {
      const accounts = orderNos.map(() => account);
      const rows = orderNos.length === 0 ? [] : await db.read(orderSql.ordersOfKeys, accounts, orderNos);
      const found = Map.groupBy(rows, ({ asked }) => Number(asked));
      return orderNos.map((orderNo, at) => wholeOrder(account, orderNo, found.get(at + 1) ?? []));
    },

    oldestOrders: async (account, term, limit) =>
      (await db.read(sql.oldest, account, term, limit)).map(({ order_no }) => String(order_no)),

    operationsOf: async (account, terms, limit) =>
      (await db.read(sql.operationsOf, account, terms, limit)).map(operationFrom),

    listOperations: async (search) => {
      const { account, waiting, limit } = search;
      const { names, statuses, created_at, id } = operationWalks(search);
      const rows = waiting
        ? db.read(sql.waiting, account, names, statuses, created_at, id, limit)
        : db.read(sql.walkOperations, account, names, statuses, created_at + id, limit);
      return (await rows).map(operationFrom);
    },
  };
}

type Listed = OrderKey & { created_at: number; terms: string; summary: string; added: string[] };
type Dropped = { account: string; term: string; created_at: number; order_id: string };

/** Lists the orders in these rows as they are now. */
async function listAll(run: Run, waiting: readonly Row[], describe: Describe): Promise<void> {
  const keys = new Map<string, OrderKey>();
  for (const { account, order_no } of waiting) {
    if (typeof order_no !== 'string') continue;
    keys.set(`${account} ${order_no}`, { account: String(account), order_no });
  }
  if (keys.size === 0) return;
  const asked = [...keys.values()];
  const names = [asked.map(({ account }) => account), asked.map(({ order_no }) => order_no)] as const;
  const [rows = [], listed = []] = await run([orderSql.ordersOfKeys, ...names], [sql.listed, ...names]);
  const found = Map.groupBy(rows, (row) => Number(row.asked));
  const before = new Map(listed.map((row) => [`${row.account} ${row.order_no}`, row]));
  const [now, dropped, gone]: [Listed[], Dropped[], string[]] = [[], [], []];
  for (const [i, key] of asked.entries()) {
    const listing = describe.order(wholeOrder(key.account, key.order_no, found.get(i + 1) ?? []));
    const known = before.get(`${key.account} ${key.order_no}`);
    const change = changeOfListing(key, listing, known);
    dropped.push(...change.dropped);
    if (change.listed) now.push(change.listed);
    else if (known) gone.push(String(known.id));
  }
  await run(...writeSteps(now, dropped, gone));
}

function changeOfListing(
  key: OrderKey,
  listing: Listing | undefined,
  known: Row | undefined,
): { listed?: Listed; dropped: Dropped[] } {
  // A page goes on where another one ended: an order keeps its place.
  const at = known ? Number(known.created_at) : Date.parse(listing?.created_at ?? '');
  const { text, added, dropped } = changeOfTerms(listing?.terms ?? [], known && String(known.terms));
  const order_id = String(known?.id);
  const drops = dropped.map((term) => ({ account: key.account, term, created_at: at, order_id }));
  if (!listing) return { dropped: drops };
  const summary = JSON.stringify({ ...listing.summary, created_at: new Date(at).toISOString() });
  return { listed: { ...key, created_at: at, terms: text, summary, added }, dropped: drops };
}

function writeSteps(now: readonly Listed[], dropped: readonly Dropped[], gone: readonly string[]): Step[] {
  const added = now.flatMap(({ account, order_no, created_at, added }) =>
    added.map((term) => ({ account, order_no, created_at, term })),
  );
  return [
    [sql.dropTerms, JSON.stringify(dropped)],
    [sql.unlist, gone],
    [
      sql.list,
      now.map(({ account }) => account),
      now.map(({ order_no }) => order_no),
      now.map(({ created_at }) => created_at),
      now.map(({ terms }) => terms),
      now.map(({ summary }) => summary),
    ],
    [
      sql.addTerms,
      added.map(({ account }) => account),
      added.map(({ order_no }) => order_no),
      added.map(({ created_at }) => created_at),
      added.map(({ term }) => term),
    ],
  ];
}

async function listOperations(run: Run, waiting: readonly Row[], describe: Describe): Promise<void> {
  const ids = waiting.flatMap(({ operation_id }) => (typeof operation_id === 'string' ? [operation_id] : []));
  if (ids.length === 0) return;
  const [rows = []] = await run([sql.operations, ids]);
  const links = rows
    .map(operationFrom)
    .flatMap((operation) =>
      describe.operation(operation).map((term) => ({ account: operation.account, term, id: operation.id })),
    );
  await run([
    sql.addOperations,
    links.map(({ account }) => account),
    links.map(({ term }) => term.toWellFormed()),
    links.map(({ id }) => id),
  ]);
}

/** The lock for updating the list; its number is arbitrary. */
export const LIST_LOCK = 7305811290468;

const columns = 'l.id, l.created_at, l.terms, l.summary';

const sql = {
  waits: { name: 'list-waits', text: 'SELECT 1 FROM turnpike.unlisted LIMIT 1' },
  // A relay that hangs as orders are sent to it would keep the lock for as long: the server's other timeouts end no sending.
  cutOff: { name: 'list-cut-off', text: `SET LOCAL tcp_user_timeout = ${CALL_MS}` },
  lock: { name: 'list-lock', text: `SELECT pg_advisory_xact_lock(${LIST_LOCK})` },
  tryLock: { name: 'list-try-lock', text: `SELECT pg_try_advisory_xact_lock(${LIST_LOCK}) AS locked` },
  take: {
    name: 'take-unlisted',
    text: `DELETE FROM turnpike.unlisted WHERE seq = ANY (ARRAY(SELECT seq FROM turnpike.unlisted ORDER BY seq LIMIT $1))
      RETURNING account, order_no, operation_id`,
  },
  listed: {
    name: 'listed-orders',
    text: `SELECT l.id, l.account, l.order_no, l.created_at, l.terms FROM unnest($1::text[], $2::text[]) AS asked (account, order_no),
      LATERAL (SELECT * FROM turnpike.listed_orders AS known WHERE known.account = asked.account
        AND known.order_no = asked.order_no OFFSET 0) AS l`,
  },
  dropTerms: {
    name: 'drop-order-terms',
    text: `DELETE FROM turnpike.order_terms AS t USING json_to_recordset($1::json)
        AS d (account text, term text, created_at bigint, order_id bigint)
      WHERE t.account = d.account AND t.term = d.term AND t.created_at = d.created_at AND t.order_id = d.order_id`,
  },
  unlist: { name: 'unlist-orders', text: 'DELETE FROM turnpike.listed_orders WHERE id = ANY ($1::bigint[])' },
  list: {
    name: 'list-orders',
    text: `INSERT INTO turnpike.listed_orders (account, order_no, created_at, terms, summary)
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
      ON CONFLICT (account, order_no) DO UPDATE SET terms = excluded.terms, summary = excluded.summary`,
  },
  addTerms: {
    name: 'add-order-terms',
    text: `INSERT INTO turnpike.order_terms (account, term, created_at, order_id)
      SELECT added.account, added.term, added.created_at, (SELECT id FROM turnpike.listed_orders AS l
        WHERE l.account = added.account AND l.order_no = added.order_no)
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) AS added (account, order_no, created_at, term)
      ON CONFLICT DO NOTHING`,
  },
  // OFFSET 0 has the server find each by its key, whatever it believes of its tables.
  walk: {
    name: 'walk-orders',
    text: `SELECT ${columns} FROM (SELECT created_at, order_id FROM turnpike.order_terms
        WHERE account = $1 AND term = $2 AND created_at >= $3 AND (created_at, order_id) < ($4, $5)
        ORDER BY account DESC, term DESC, created_at DESC, order_id DESC LIMIT $6) AS t,
      LATERAL (SELECT * FROM turnpike.listed_orders WHERE id = t.order_id OFFSET 0) AS l
      ORDER BY t.created_at DESC, t.order_id DESC`,
  },
  oldest: {
    name: 'oldest-orders',
    text: `SELECT l.order_no FROM (SELECT created_at, order_id FROM turnpike.order_terms
        WHERE account = $1 AND term = $2 ORDER BY account, term, created_at, order_id LIMIT $3) AS t,
      LATERAL (SELECT order_no FROM turnpike.listed_orders WHERE id = t.order_id OFFSET 0) AS l
      ORDER BY t.created_at, t.order_id`,
  },
  startingWith: {
    name: 'orders-starting-with',
    text: `SELECT ${columns} FROM (SELECT order_id FROM turnpike.order_terms
        WHERE account = $1 AND term >= $2 AND term < $3 ORDER BY account, term LIMIT $4) AS t,
      LATERAL (SELECT * FROM turnpike.listed_orders WHERE id = t.order_id OFFSET 0) AS l`,
  },
  startsBeyond: {
    name: 'more-orders-starting-with',
    text: `SELECT 1 FROM turnpike.order_terms WHERE account = $1 AND term >= $2 AND term < $3
      ORDER BY account, term LIMIT 1 OFFSET $4`,
  },
  operations: { name: 'operations-by-id', text: 'SELECT data FROM turnpike.operations WHERE id = ANY ($1::text[])' },
  addOperations: {
    name: 'add-operation-terms',
    text: `INSERT INTO turnpike.operation_terms (account, term, operation_id)
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
  },
  operationsOf: {
    name: 'operations-of',
    text: `SELECT data FROM turnpike.operations WHERE id IN (SELECT operation_id FROM turnpike.operation_terms
      WHERE account = $1 AND term = ANY ($2::text[])) ORDER BY created_at DESC LIMIT $3`,
  },
  // As above: a walk reads as many of each name and status as the page holds, and the server each operation by its id.
  walkOperations: {
    name: 'walk-operations',
    text: `SELECT o.data FROM (SELECT w.place, w.id FROM unnest($2::text[]) AS n (name), unnest($3::text[]) AS s (status),
        LATERAL (SELECT place, id FROM turnpike.operations AS known WHERE account = $1 AND known.name = n.name
          AND known.status = s.status AND place < $4
          ORDER BY account DESC, known.name DESC, known.status DESC, place DESC LIMIT $5) AS w
        ORDER BY w.place DESC LIMIT $5) AS page,
      LATERAL (SELECT data FROM turnpike.operations WHERE id = page.id OFFSET 0) AS o
      ORDER BY page.place DESC`,
  },
  waiting: {
    name: 'waiting-operations',
    text: `SELECT data FROM turnpike.operations WHERE account = $1 AND needs_person AND next_look_at IS NULL
        AND name = ANY ($2::text[]) AND status = ANY ($3::text[]) AND (created_at, id) < ($4, $5)
      ORDER BY account DESC, created_at DESC, id DESC LIMIT $6`,
  },
};
