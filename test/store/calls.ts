import type { Quota } from '../../relay/payments/attempt.ts';
import type { StoredOperation } from '../../relay/payments/operations/operation.ts';
import type { StoredOrder } from '../../relay/payments/order.ts';
import type { Claim } from '../../relay/store/facets/keys.ts';
import { deliveryId } from '../../relay/store/rows.ts';
import type { Store } from '../../relay/store/store.ts';
import {
  delivered,
  event,
  failed,
  at as moment,
  nextOperation,
  noAnswer,
  notification,
  operation,
  refund,
  session,
  starting,
} from './fixtures.ts';
import {
  ABANDONED_S,
  type Call,
  ENDPOINTS,
  isLimited,
  LEASE_S,
  MAX_ATTEMPTS,
  type Model,
  orderIn,
  PAID,
  QUIET_S,
  type Result,
  refundedIn,
  WINDOW_S,
} from './model.ts';

/** Reads what a call changes, and returns the call itself. The account of the history makes names unique. */
export async function prepared(
  store: Store,
  account: string,
  call: Call,
  read: Model,
  at: number,
): Promise<() => Promise<Result>> {
  const named = (name: string): string => `${account} ${name}`;
  const key = (name: string) => ({ account, route: '/v1/refund', key: name });
  const claimOf = (name: string | undefined): Claim | undefined => {
    const claimed = name === undefined ? undefined : read.keys[name];
    return name !== undefined && claimed
      ? { ...key(name), fingerprint: claimed.body, claimed_at: moment(claimed.claimed) }
      : undefined;
  };
  const own = (id: string) => id.replace(`${account} `, '');
  switch (call.call) {
    case 'create': {
      const made = { ...session(named(call.session), call.order, account), created_at: moment(at) };
      return async () => (await store.sessions.create(made)).kind;
    }
    case 'change': {
      const known = await store.sessions.get(named(call.session));
      if (!known) return async () => 'false';
      const changed = { ...known, version: known.version + 1, revision: known.revision + 1 };
      return async () => String(await store.sessions.change(changed));
    }
    case 'begin': {
      const before = await store.orders.get(account, call.order);
      const paying = before.sessions.find(({ id }) => id === named(call.session)) ?? session('none');
      const write = starting(before, paying, named(call.attempt), moment(at));
      const led = claimOf(call.key);
      const lead = led ? { lead: { key: led, subject: paying.id } } : {};
      const quotas = { counted: [quotaOf(account)], at: moment(at) };
      return async () => (await store.orders.write({ ...write, quotas, ...lead })).kind;
    }
    case 'settle': {
      const before = await store.orders.get(account, call.order);
      const transaction = call.approvedBy === undefined ? undefined : named(call.approvedBy);
      return async () => (await store.orders.write({ before, after: settled(before, transaction), events: [] })).kind;
    }
    case 'claim': {
      const claim = { ...key(call.key), fingerprint: call.body, claimed_at: moment(at) };
      return async () => {
        const { kind, ...more } = await store.keys.claim(claim, moment(at - ABANDONED_S));
        const subject = 'subject' in more && more.subject !== undefined ? own(more.subject) : undefined;
        const reply = 'reply' in more ? more.reply : undefined;
        if (kind === 'claimed') return kind;
        return kind === 'answered'
          ? `${kind},${reply}`
          : [kind, subject, ...(kind === 'other_body' ? [reply] : [])].join();
      };
    }
    case 'answer':
      return async () => {
        await store.keys.answer({ ...key(call.key), reply: `answered at ${at}` });
        return '';
      };
    case 'release': {
      const claim = claimOf(call.key);
      return async () => {
        await store.keys.release(claim ? [claim] : []);
        return '';
      };
    }
    case 'operate': {
      const begun = operation(named(call.id), {
        account,
        created_at: moment(at),
        ...(call.request === undefined ? {} : { request_id: call.request }),
        ...(call.reference === undefined ? {} : { references: [call.reference] }),
      });
      const refunds = call.refunds.map(({ transaction, amount }) =>
        refund(BigInt(amount), BigInt(PAID), 'BRL', named(transaction)),
      );
      return async () => {
        const { kind, ...more } = await store.operations.begin(begun, refunds, claimOf(call.key));
        const id = 'id' in more && more.id !== undefined ? own(more.id) : undefined;
        const left = 'left' in more && 'item' in more ? `${more.item},${more.left}` : undefined;
        return [kind, ...(id === undefined ? [] : [id]), ...(left === undefined ? [] : [left])].join();
      };
    }
    case 'finish': {
      const known = await store.operations.get(named(call.id));
      if (!known) return async () => 'false';
      const finished = nextOperation(known, stateAs[call.as], { settled_at: moment(at) });
      const items = read.operations[call.id]?.refunds ?? [];
      const counted = call.as === 'unknown' ? {} : { counted: items.map(() => call.as === 'succeeded') };
      const reply = { reply: `answered at ${at}`, subject: known.id };
      const kept = call.key === undefined ? {} : { answered: { ...key(call.key), ...reply } };
      return async () =>
        String(await store.operations.finish({ operation: finished, ...counted, ...kept, events: [] }));
    }
    case 'tell':
      return async () => {
        const change = { account, created_at: moment(at), endpoints: call.endpoints };
        await store.outbox.add([event(named(call.id), named(call.subject), change)]);
        return '';
      };
    case 'notify': {
      // A kept notification is identified by its length.
      const bytes = call.sha256.charCodeAt(0);
      const came = { ...notification(named(call.session), at, call.sha256), account, bytes };
      return async () => {
        await store.notifications.add(came);
        return '';
      };
    }
    case 'lease': {
      const lease = { now: moment(at), until: moment(at + LEASE_S), limit: 1 };
      const quiet = moment(at - QUIET_S);
      return async () => (await store.orders.lease({ account, order_no: call.order }, lease, quiet)).kind;
    }
    case 'free':
      return async () => {
        await store.orders.release({ account, order_no: call.order }, moment(at));
        return '';
      };
    case 'deliver':
    case 'fail': {
      const known = await store.outbox.get(account, named(call.id));
      return async () => {
        if (!known?.deliveries.some(({ endpoint }) => endpoint === call.endpoint)) return '';
        const { id, subject, deliveries } = known;
        const row = deliveries.length > 1 ? { id: deliveryId(id, call.endpoint), event_id: id } : { id };
        const key = { ...row, subject, endpoint: call.endpoint };
        await store.outbox.writeDelivery(key, call.call === 'fail' ? failed : delivered);
        return '';
      };
    }
    case 'redeliver':
      return async () => (await store.outbox.redeliver(account, named(call.id), moment(at), () => ENDPOINTS)).kind;
    case 'acknowledge':
      return async () => (await store.outbox.acknowledge(account, named(call.id), 'server', moment(at))).kind;
  }
}

const stateAs: Record<Extract<Call, { call: 'finish' }>['as'], StoredOperation['state']> = {
  succeeded: { status: 'answered', answer: {}, items: ['succeeded'] },
  failed: { status: 'answered', answer: {}, items: ['failed'] },
  unknown: noAnswer,
  not_sent: { status: 'not_sent' },
};

const quotaOf = (account: string): Quota => ({
  name: 'account',
  key: account,
  max: MAX_ATTEMPTS,
  window_ms: WINDOW_S * 1000,
});

/** The order after its attempt in flight is approved with a transaction, or declined. */
function settled(before: StoredOrder, transaction_id: string | undefined): StoredOrder {
  const attempt = before.attempts.find(({ state }) => state.status === 'in_flight');
  const attempt_id = attempt?.id ?? '';
  const sessions = before.sessions.map((one) => {
    if (one.state.status !== 'processing') return one;
    const state = transaction_id
      ? ({ status: 'approved', attempt_id, transaction_id } as const)
      : ({ status: 'open' } as const);
    return { ...one, state };
  });
  const attempts = before.attempts.map((one) =>
    one === attempt
      ? {
          ...one,
          state: transaction_id
            ? ({ status: 'approved' } as const)
            : ({ status: 'declined', result: { code: '', message: '' } } as const),
        }
      : one,
  );
  const date = attempt?.started_at ?? '';
  const paid = transaction_id
    ? [{ transaction_id, amount: '10.00', currency: 'BRL', attempt_id, proof: 'answer', date } as const]
    : [];
  return {
    ...before,
    hold: transaction_id ? 'paid' : 'free',
    sessions,
    attempts,
    payments: [...before.payments, ...paid],
  };
}

/** The state of a store or its model, for comparison. */
export type Seen = {
  orders: Record<string, Omit<Model['orders'][string], 'leased' | 'asked'>>;
  operations: Record<string, { version: number; status: string }>;
  refunded: Record<string, number>;
  keys: Record<string, string>;
  events: Record<string, { status: string; to: Model['events'][string] }>;
  notifications: Model['notifications'];
  isLimited: boolean;
};

/** The store's state of everything that the model covers. */
export async function seenIn(store: Store, account: string, model: Model, names: Names, at: number): Promise<Seen> {
  const named = (name: string): string => `${account} ${name}`;
  const own = (id: string) => id.replace(`${account} `, '');
  const orderNamed = async (name: string) => {
    const { version, hold, payments, sessions, attempts } = await store.orders.get(account, name);
    if (version === 0 && sessions.length === 0) return [];
    const order = {
      ...{ version, hold, payments: payments.map(({ transaction_id }) => own(transaction_id)) },
      sessions: byName(sessions, (one) => ({ version: one.version, status: one.state.status })),
      attempts: byName(attempts, ({ state }) => state.status),
    };
    return [[name, order] as const];
  };
  const keyNamed = async (name: string) => {
    const key = { account, route: '/v1/refund', key: name };
    const probe = { ...key, fingerprint: 'probe', claimed_at: moment(at) };
    const found = await store.keys.claim(probe, moment(at));
    if (found.kind === 'other_body')
      return [[name, [found.subject && own(found.subject), found.reply].join()] as const];
    await store.keys.release([probe]);
    return [];
  };
  const byName = <Thing extends { id: string }, Value>(things: readonly Thing[], read: (thing: Thing) => Value) =>
    Object.fromEntries(things.map((thing) => [own(thing.id), read(thing)]));
  const operationIds = Object.keys(model.operations).map((id) => `${account} ${id}`);
  const transactions = names.transactions.map((name) => `${account} ${name}`);
  const sessions = Object.values(model.orders).flatMap((order) => Object.keys(order.sessions).map(named));
  const [orders, operations, sums, keys, events, notified, limited] = await Promise.all([
    Promise.all(names.orders.map(orderNamed)),
    Promise.all(operationIds.map((id) => store.operations.get(id))),
    store.operations.refunded(account, transactions),
    Promise.all(names.keys.map(keyNamed)),
    store.outbox.list({ account, limit: 1000 }),
    store.notifications.list(sessions, 1000),
    store.quotas.check([quotaOf(account)], moment(at)),
  ]);
  return {
    orders: Object.fromEntries(orders.flat()),
    operations: byName(
      operations.flatMap((one) => one ?? []),
      ({ version, state }) => ({ version, status: state.status }),
    ),
    keys: Object.fromEntries(keys.flat()),
    refunded: Object.fromEntries(
      sums.filter(({ sum }) => sum > 0n).map((one) => [own(one.transaction_id), Number(one.sum)]),
    ),
    events: byName(events, ({ delivery, deliveries }) => ({
      status: delivery.status,
      to: Object.fromEntries(deliveries.map((one) => [one.endpoint, one.delivery.status])),
    })),
    notifications: Object.fromEntries(
      notified.map(({ subject, bytes, times }) => [`${own(subject)} ${String.fromCharCode(bytes)}`, times]),
    ),
    isLimited: limited !== undefined,
  };
}

/** The model's state in the form of a store's. */
export function seenOf(model: Model, names: Names, at: number): Seen {
  const operations = Object.entries(model.operations).map(
    ([id, { version, status }]) => [id, { version, status }] as const,
  );
  const sums = names.transactions.map((name) => [name, refundedIn(model, name)] as const).filter(([, sum]) => sum > 0);
  const keys = Object.entries(model.keys).map(([name, { subject, reply }]) => [name, [subject, reply].join()] as const);
  return {
    orders: Object.fromEntries(
      names.orders.flatMap((name) => {
        const { leased: _, asked: __, ...order } = orderIn(model, name);
        return model.orders[name] ? [[name, order]] : [];
      }),
    ),
    operations: Object.fromEntries(operations),
    refunded: Object.fromEntries(sums),
    keys: Object.fromEntries(keys),
    events: Object.fromEntries(
      Object.entries(model.events).map(([id, to]) => {
        const byAttention = ['failed', 'pending', 'acknowledged', 'delivered'];
        const status = byAttention.find((one) => Object.values(to).includes(one)) ?? 'kept';
        return [id, { status, to }];
      }),
    ),
    notifications: model.notifications,
    isLimited: isLimited(model, at),
  };
}

/** The names in a history. */
export type Names = { orders: readonly string[]; transactions: readonly string[]; keys: readonly string[] };
