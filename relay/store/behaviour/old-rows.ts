import { at, attempt, session } from './fixtures.ts';

/** A row as the relay wrote it before it kept orders as a whole. */
export type OldRow = {
  table: 'sessions' | 'attempts' | 'orders';
  columns: { [column: string]: string | number | null };
};

const DAY_MS = 86_400_000;
const search = { reason: 'timeout', since: at(3), looks: 2, absent_looks: 1, needs_attention: false };
/** A body that was cut in the middle of a character. */
const evidence = { http_status: 502, body: '\0 \\u0000 \ud83d' };
const declined = { status: 'declined', result: { code: '4100', message: '' } };
const refused = { status: 'refused', result: { code: 'http_400', message: '' }, evidence };

/** When an attempt ended that is still watched, and when one did that is not. */
export const recently = new Date(Date.now() - DAY_MS).toISOString();
const longAgo = '2020-01-01T00:00:00.000Z';

/** Orders of every kind; the session, attempt and order_no of each are named after it. */
export const oldRows: readonly OldRow[] = [
  ...rows('redirected', 'held', {
    state: { status: 'redirected', attempt_id: 'at_redirected', next_look_at: at(20) },
    attempt: { status: 'redirected', issuer_url: 'https://issuer.example/' },
    next_look_at: at(20),
  }),
  ...rows('unknown', 'held', {
    state: { status: 'unknown', attempt_id: 'at_unknown', search: { ...search, next_look_at: at(21) } },
    attempt: { status: 'unknown', reason: 'timeout', evidence },
    next_look_at: at(21),
  }),
  ...rows('watched', 'free', {
    state: { status: 'open', notice: 'not_paid' },
    attempt: { status: 'not_paid' },
    settled_at: at(10),
    next_look_at: at(22),
    watch: { since: at(10), next_look_at: at(22), looks: 3 },
  }),
  ...rows('notified', 'free', {
    state: { status: 'open', notice: 'not_paid' },
    attempt: { status: 'not_paid' },
    settled_at: at(10),
    next_look_at: at(9000),
    watch: { since: at(10), next_look_at: at(9000), looks: 9 },
    notified_at: at(23),
  }),
  ...rows('needy', 'held', {
    state: {
      status: 'unknown',
      attempt_id: 'at_needy',
      search: { ...search, reason: 'pending', needs_attention: true, next_look_at: at(24) },
    },
    attempt: { status: 'unknown', reason: 'pending', evidence },
    next_look_at: at(24),
  }),
  ...rows('processing', 'held', {
    state: { status: 'processing', attempt_id: 'at_processing' },
    attempt: { status: 'in_flight' },
    started_at: at(25),
  }),
  // Two sessions: what the other one waits for makes the order due.
  ...rows('two', 'held', { state: { status: 'failed' }, attempt: declined, settled_at: longAgo, notified_at: at(90) }),
  ...rows('two', 'held', {
    id: 'two_b',
    state: { status: 'redirected', attempt_id: 'at_two_b', next_look_at: at(26) },
    attempt: { status: 'redirected', issuer_url: 'https://issuer.example/' },
    next_look_at: at(26),
    notified_at: at(91),
  }),
  ...rows('refused', 'free', { state: { status: 'failed' }, attempt: refused, settled_at: recently }),
  ...rows('declined', 'free', { state: { status: 'expired' }, attempt: declined, settled_at: recently }),
  ...rows('over', 'free', { state: { status: 'failed' }, attempt: declined, settled_at: longAgo }),
  // A purge forgot the row of an order that a younger session had, too.
  ...rows('left', 'free', { state: { status: 'failed' }, attempt: declined, settled_at: longAgo }).filter(
    ({ table }) => table !== 'orders',
  ),
  ...approved('paid', 'T', {}),
  ...approved('recurring', 'T_r', { attempt: { recurring_id: 'R1' } }),
  ...approved('told_recurring', 'T_t', { state: { recurring_id: 'R2' } }),
  // Paid by two attempts, of which the second tells of the first; and by one that no attempt made.
  ...approved('twice', 'T_1', { state: { paid_twice: ['T_3'] }, settled_at: at(11) }),
  ...approved('twice', 'T_2', { id: 'twice_b', state: { paid_twice: ['T_1', 'T_3'] }, settled_at: at(12) }),
  // Two orders that one transaction seems to have paid: the first one has it.
  ...approved('same_b', 'T_same', { settled_at: at(12), amount: '5.00' }),
  ...approved('same_a', 'T_same', { settled_at: at(13), amount: '7.00' }),
  ...approved('nameless', undefined, {}),
  // A purge forgot the session that paid, but not the younger one.
  ...rows('purged', 'paid', { state: { status: 'open' }, attempt: {} }).filter(({ table }) => table !== 'attempts'),
];

type Given = {
  /** Where an order has a second session. */
  id?: string;
  state: { status: string; search?: typeof search & { next_look_at: string }; [field: string]: unknown };
  attempt: object;
  amount?: string;
  started_at?: string;
  settled_at?: string;
  transaction_id?: string;
  next_look_at?: string;
  notified_at?: string;
  watch?: object;
};

/** An order that was paid by a transaction, if the gateway named it. */
function approved(
  order_no: string,
  transaction_id: string | undefined,
  given: Pick<Given, 'id' | 'amount' | 'settled_at'> & { state?: object; attempt?: object },
): OldRow[] {
  const { id = order_no, state, attempt, settled_at = at(10) } = given;
  return rows(order_no, 'paid', {
    ...given,
    state: { status: 'approved', attempt_id: `at_${id}`, transaction_id: transaction_id ?? '', ...state },
    attempt: { status: 'approved', result: { code: '0000', message: '\ud83d' }, ...attempt },
    settled_at,
    ...(transaction_id ? { transaction_id } : {}),
  });
}

function rows(orderNo: string, hold: string, given: Given): OldRow[] {
  const { id = orderNo, settled_at, transaction_id } = given;
  const one = session(id, orderNo);
  const { account, order_no, version, revision, created_at, expires_at, terms } = one;
  const settled = { ...(settled_at ? { settled_at } : {}), ...(transaction_id ? { transaction_id } : {}) };
  const sum = given.amount ? { amount: given.amount } : {};
  const data = { ...attempt(`at_${id}`, one), ...settled, ...sum, state: given.attempt };
  const sessionRow = {
    ...{ id, account, order_no, status: given.state.status, version, revision, created_at, expires_at },
    started_at: given.started_at ?? null,
    next_look_at: given.next_look_at ?? null,
    notified_at: given.notified_at ?? null,
    watch: given.watch ? JSON.stringify(given.watch) : null,
    unknown_since: given.state.search?.since ?? null,
    // Both stores take this for what their column holds.
    needs_attention: given.state.search?.needs_attention ? '1' : '0',
    terms: JSON.stringify(terms),
    state: JSON.stringify(given.state),
  };
  const attemptRow = {
    ...{ id: data.id, session_id: id, account, order_no, started_at: data.started_at },
    paid_transaction_id: transaction_id ?? null,
    data: JSON.stringify(data),
  };
  return [
    { table: 'sessions', columns: sessionRow },
    { table: 'attempts', columns: attemptRow },
    ...(id === orderNo ? [{ table: 'orders', columns: { account, order_no, hold } } as const] : []),
  ];
}
