/** A store's data about an order, a key, an operation and a webhook, as far as its calls depend on them. */
type ModelOrder = {
  version: number;
  hold: 'free' | 'held' | 'paid';
  payments: string[];
  sessions: Record<string, { version: number; status: string }>;
  attempts: Record<string, string>;
  /** When its lease ends, and when it was queried last. */
  leased?: number;
  asked?: number;
};
type ModelKey = { body: string; claimed: number; subject?: string; reply?: string };
type ModelRefund = { transaction: string; amount: number; counts: boolean };
type ModelOperation = { version: number; status: string; refunds: ModelRefund[]; request?: string; reference?: string };
/** The status of the delivery to each endpoint. */
type ModelEvent = Record<string, string>;

/** The endpoints that receive a redelivery. */
export const ENDPOINTS = ['a', 'b'];

/** A store as a plain value: the effect of sequential calls. Times are in seconds. */
export type Model = {
  orders: Record<string, ModelOrder>;
  keys: Record<string, ModelKey>;
  operations: Record<string, ModelOperation>;
  /** The operations that hold a request_id or a reference. */
  requests: Record<string, string>;
  references: Record<string, string>;
  counted: number[];
  events: Record<string, ModelEvent>;
  /** The number of times that each notification of a session arrived. */
  notifications: Record<string, number>;
};

export const emptyModel = (): Model => ({
  ...{ orders: {}, keys: {}, operations: {}, requests: {}, references: {}, counted: [], events: {}, notifications: {} },
});

/** The amount that each transaction paid, in minor units. */
export const PAID = 1000;
export const MAX_ATTEMPTS = 3;
export const WINDOW_S = 60;

/** The age of an unused claim after which another request takes it over. */
export const ABANDONED_S = 5;

/** How long a lease of an order lasts, and the minimum pause between two queries. */
export const LEASE_S = 20;
export const QUIET_S = 6;

/** One call of a store. A change of existing data begins with a read, before the calls of its group. */
export type Call =
  | { call: 'create'; order: string; session: string }
  | { call: 'change'; order: string; session: string }
  | { call: 'begin'; order: string; session: string; attempt: string; key?: string }
  | { call: 'settle'; order: string; approvedBy?: string }
  | { call: 'claim'; key: string; body: string }
  | { call: 'answer' | 'release'; key: string }
  | {
      call: 'operate';
      id: string;
      refunds: readonly Omit<ModelRefund, 'counts'>[];
      key?: string;
      request?: string;
      reference?: string;
    }
  | { call: 'finish'; id: string; as: 'succeeded' | 'failed' | 'unknown' | 'not_sent'; key?: string }
  | { call: 'tell'; id: string; subject: string; endpoints: readonly string[] }
  | { call: 'notify'; order: string; session: string; sha256: string }
  | { call: 'lease' | 'free'; order: string }
  | { call: 'deliver' | 'fail'; id: string; endpoint: string }
  | { call: 'redeliver' | 'acknowledge'; id: string };

/** The compared part of a call's result: kinds and identifiers. */
export type Result = string;

/** The possible results of a call: two if two reasons refuse it, since a store may report either. */
type Results = Result | readonly [Result, Result];

const noOrder = (): ModelOrder => ({ version: 0, hold: 'free', payments: [], sessions: {}, attempts: {} });

/** The model's order; an empty one if it is unknown. */
export const orderIn = (model: Model, name: string): ModelOrder => model.orders[name] ?? noOrder();

/** The attempt of an order that is in flight, and its session. */
export function inFlight({ attempts }: ModelOrder): string | undefined {
  return Object.entries(attempts).find(([, status]) => status === 'in_flight')?.[0];
}

/** The refunded amount of a transaction in minor units; unknown refunds count. */
export function refundedIn({ operations }: Model, transaction: string): number {
  const refunds = Object.values(operations).flatMap((operation) => operation.refunds);
  return refunds
    .filter((refund) => refund.counts && refund.transaction === transaction)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** True if one more attempt at this moment would exceed the limit. */
export function isLimited({ counted }: Model, at: number): boolean {
  const blocking = counted.toSorted((a, b) => a - b).at(-MAX_ATTEMPTS);
  return blocking !== undefined && blocking + WINDOW_S > at;
}

/**
 * Applies a call to a copy of the model.
 * @param read the model when the calls of the group read what they change
 * @param at the moment of the group, in seconds
 */
export function applied(
  model: Model,
  call: Call,
  read: Model,
  at: number,
): { model: Model; results: readonly Result[] } {
  const next = structuredClone(model);
  return { results: [apply(next, call, read, at)].flat(), model: next };
}

function apply(model: Model, call: Call, read: Model, at: number): Results {
  switch (call.call) {
    case 'create': {
      const order = orderIn(model, call.order);
      if (order.hold !== 'free') return order.hold === 'paid' ? 'order_already_paid' : 'order_in_progress';
      order.sessions[call.session] = { version: 1, status: 'open' };
      model.orders[call.order] = order;
      return 'created';
    }
    case 'change': {
      const session = orderIn(model, call.order).sessions[call.session];
      const known = orderIn(read, call.order).sessions[call.session];
      if (!session || session.version !== known?.version) return 'false';
      session.version += 1;
      return 'true';
    }
    case 'begin':
      return begin(model, call, read, at);
    case 'settle':
      return settle(model, call, read);
    case 'claim':
      return claim(model, call, at);
    case 'answer': {
      const key = model.keys[call.key];
      if (key) key.reply ??= `answered at ${at}`;
      return '';
    }
    case 'release':
      if (ownKey(model, read, call.key)) delete model.keys[call.key];
      return '';
    case 'operate':
      return operate(model, call, read);
    case 'finish':
      return finish(model, call, read, at);
    case 'tell':
      model.events[call.id] ??= Object.fromEntries(call.endpoints.map((endpoint) => [endpoint, 'pending']));
      return '';
    case 'notify': {
      const name = `${call.session} ${call.sha256}`;
      model.notifications[name] = (model.notifications[name] ?? 0) + 1;
      const order = model.orders[call.order];
      // An order without a row is at version 0.
      if (order && order.version > 0) order.version += 1;
      return '';
    }
    case 'lease': {
      const order = orderIn(model, call.order);
      const { leased = 0, asked = Number.NEGATIVE_INFINITY } = order;
      if (leased > at || asked > at - QUIET_S) return 'wait';
      if (order.version > 0) Object.assign(order, { leased: at + LEASE_S, asked: at });
      return 'leased';
    }
    case 'free': {
      const { leased: _, ...order } = orderIn(model, call.order);
      if (order.version > 0) model.orders[call.order] = { ...order, asked: at };
      return '';
    }
    case 'deliver':
    case 'fail': {
      const event = model.events[call.id];
      if (event?.[call.endpoint] === 'pending') event[call.endpoint] = call.call === 'fail' ? 'failed' : 'delivered';
      return '';
    }
    case 'redeliver': {
      const event = model.events[call.id];
      if (!event) return 'not_found';
      const known = Object.keys(event);
      const lacking = known.filter((one) => event[one] !== 'pending' && event[one] !== 'delivered');
      if (lacking.length === 0 && known.some((one) => event[one] === 'pending')) return 'pending';
      const again = known.length === 0 ? ENDPOINTS : lacking.length > 0 ? lacking : known;
      for (const endpoint of again) event[endpoint] = 'pending';
      return 'redelivered';
    }
    case 'acknowledge': {
      const event = model.events[call.id];
      if (!event) return 'not_found';
      const given = Object.keys(event).filter((one) => event[one] === 'failed' || event[one] === 'acknowledged');
      for (const endpoint of given) event[endpoint] = 'acknowledged';
      return given.length > 0 ? 'acknowledged' : 'not_failed';
    }
  }
}

function begin(model: Model, call: Extract<Call, { call: 'begin' }>, read: Model, at: number): Results {
  const order = orderIn(model, call.order);
  const known = orderIn(read, call.order);
  const session = order.sessions[call.session];
  const isOutdated = order.version !== known.version || session?.version !== known.sessions[call.session]?.version;
  // PostgreSQL counts attempts before it compares orders.
  if (isLimited(model, at)) return isOutdated ? ['changed', 'limited'] : 'limited';
  if (isOutdated) return 'changed';
  if (!lead(model, read, call.key, call.session)) return 'key_lost';
  model.counted.push(at);
  order.version += 1;
  order.hold = 'held';
  order.sessions[call.session] = { version: (session?.version ?? 0) + 1, status: 'processing' };
  order.attempts[call.attempt] = 'in_flight';
  model.orders[call.order] = order;
  return 'written';
}

function settle(model: Model, call: Extract<Call, { call: 'settle' }>, read: Model): Result {
  const order = orderIn(model, call.order);
  const known = orderIn(read, call.order);
  const paying = Object.entries(known.sessions).find(([, { status }]) => status === 'processing')?.[0] ?? '';
  const session = order.sessions[paying];
  if (order.version !== known.version || session?.version !== known.sessions[paying]?.version) return 'changed';
  const isPaid = call.approvedBy !== undefined;
  const isOther = ([name, { payments }]: [string, ModelOrder]): boolean =>
    name !== call.order && payments.some((payment) => payment === call.approvedBy);
  if (Object.entries(model.orders).some(isOther)) return 'transaction_known';
  order.version += 1;
  order.hold = isPaid ? 'paid' : 'free';
  if (call.approvedBy !== undefined) order.payments.push(call.approvedBy);
  order.sessions[paying] = { version: (session?.version ?? 0) + 1, status: isPaid ? 'approved' : 'open' };
  order.attempts[inFlight(known) ?? ''] = isPaid ? 'approved' : 'declined';
  return 'written';
}

function claim({ keys }: Model, { key, body }: Extract<Call, { call: 'claim' }>, at: number): Result {
  const before = keys[key];
  if (before && before.body !== body) return ['other_body', before.subject, before.reply].join();
  if (before?.reply !== undefined) return `answered,${before.reply}`;
  if (before?.subject !== undefined) return `running,${before.subject}`;
  if (before && before.claimed >= at - ABANDONED_S) return 'running,';
  keys[key] = { body, claimed: at };
  return 'claimed';
}

/** The key that a request claimed; undefined if another request took it over or it has a result. */
function ownKey({ keys }: Model, read: Model, name: string): ModelKey | undefined {
  const key = keys[name];
  const isFree = key?.subject === undefined && key?.reply === undefined;
  return isFree && key?.claimed === read.keys[name]?.claimed ? key : undefined;
}

/** Links a key to the result of its request; false if that is impossible. */
function lead(model: Model, read: Model, name: string | undefined, subject: string): boolean {
  if (name === undefined) return true;
  const key = ownKey(model, read, name);
  if (key) key.subject = subject;
  return key !== undefined;
}

function operate(model: Model, call: Extract<Call, { call: 'operate' }>, read: Model): Results {
  const { id, request, reference, refunds } = call;
  const refusal = refusalOf(model, call);
  const isKeyLost = call.key !== undefined && ownKey(model, read, call.key) === undefined;
  if (refusal !== undefined) return isKeyLost ? [refusal, 'key_lost'] : refusal;
  if (!lead(model, read, call.key, id)) return 'key_lost';
  const operation: ModelOperation = {
    ...{ version: 1, status: 'in_flight', refunds: refunds.map((refund) => ({ ...refund, counts: true })) },
    ...(request === undefined ? {} : { request }),
    ...(reference === undefined ? {} : { reference }),
  };
  model.operations[id] = operation;
  if (request !== undefined) model.requests[request] = id;
  if (reference !== undefined) model.references[reference] = id;
  return 'begun';
}

/** A used reference takes precedence over a limit that its refund has reached. */
function refusalOf(
  model: Model,
  { request, reference, refunds }: Extract<Call, { call: 'operate' }>,
): Result | undefined {
  const requested = request === undefined ? undefined : model.requests[request];
  if (requested !== undefined) return `request_id_used,${requested}`;
  const referenced = reference === undefined ? undefined : model.references[reference];
  if (referenced !== undefined) return `reference_used,${referenced}`;
  const taken: Record<string, number> = {};
  for (const [item, { transaction, amount }] of refunds.entries()) {
    const before = taken[transaction] ?? refundedIn(model, transaction);
    if (before + amount > PAID) return `refund_exceeds_payment,${item},${PAID - before}`;
    taken[transaction] = before + amount;
  }
  return undefined;
}

const statusAs = { succeeded: 'answered', failed: 'answered', unknown: 'unknown', not_sent: 'not_sent' } as const;

function finish(model: Model, call: Extract<Call, { call: 'finish' }>, read: Model, at: number): Result {
  const operation = model.operations[call.id];
  if (!operation || operation.version !== read.operations[call.id]?.version) return 'false';
  operation.version += 1;
  operation.status = statusAs[call.as];
  if (call.as !== 'unknown') for (const refund of operation.refunds) refund.counts = call.as === 'succeeded';
  if (call.as === 'not_sent') {
    if (operation.request !== undefined) delete model.requests[operation.request];
    if (operation.reference !== undefined) delete model.references[operation.reference];
  }
  const key = call.key === undefined ? undefined : model.keys[call.key];
  if (key && key.reply === undefined) {
    key.reply = `answered at ${at}`;
    key.subject ??= call.id;
  }
  return 'true';
}
