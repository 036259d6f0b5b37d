import { order } from '../../../shared/checkout/session.ts';
import type { Operation } from '../../payments/operation.ts';
import type { Reservation } from '../../payments/refund-rule.ts';
import type { Attempt, Session, SessionState } from '../../payments/session.ts';
import type { NewEvent } from '../event.ts';
import type { Notification } from '../notification.ts';
import type { Lease, Store } from '../store.ts';

/** Opens an empty store for one test, which closes it at its end. */
export type Open = () => Promise<Store>;

/** So many seconds after the start of 2026. */
export const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

export const lease = (now: number, until: number, limit = 10): Lease => ({ now: at(now), until: at(until), limit });

export const ids = (things: readonly { id: string }[]): string[] => things.map(({ id }) => id);

export function session(id: string, orderNo = 'A', account = 'demo'): Session {
  return {
    id,
    account,
    order_no: orderNo,
    created_at: at(0),
    expires_at: at(86_400),
    revision: 1,
    version: 1,
    terms: {
      order: order.parse({ order_no: orderNo, currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state: { status: 'open' },
  };
}

export function attempt(id: string, of: Session, more: Partial<Attempt> = {}): Attempt {
  const { account, order_no } = of;
  return {
    id,
    session_id: of.id,
    account,
    order_no,
    method: 'card',
    amount: '10.00',
    currency: 'BRL',
    started_at: at(0),
    state: { status: 'in_flight' },
    ...more,
  };
}

export function next(of: Session, state: SessionState): Session {
  return { ...of, version: of.version + 1, state };
}

export function unknown(nextLook: number, more: { needs_attention?: boolean; since?: number } = {}): SessionState {
  const { needs_attention = false, since = 0 } = more;
  const search = { reason: 'timeout', looks: 0, absent_looks: 0, needs_attention } as const;
  return {
    status: 'unknown',
    attempt_id: 'at_1',
    search: { ...search, since: at(since), next_look_at: at(nextLook) },
  };
}

/** Adds a session whose one attempt has begun. */
export async function processing(store: Store, id: string, orderNo = id): Promise<Session> {
  const open = session(id, orderNo);
  await store.createSession(open);
  const started = next(open, { status: 'processing', attempt_id: `at_${id}` });
  await store.startAttempt(started, attempt(`at_${id}`, open), []);
  return started;
}

/** Pays a session that `processing` added. */
export async function approve(store: Store, started: Session, transaction_id = 'T'): Promise<Session> {
  const attempt_id = `at_${started.id}`;
  const paid = next(started, { status: 'approved', attempt_id, transaction_id });
  const approved = attempt(attempt_id, started, { transaction_id, state: { status: 'approved' } });
  await store.settle(paid, approved, 'paid', []);
  return paid;
}

export function event(id: string, subject = id, change: Partial<NewEvent> = {}): NewEvent {
  return { id, account: 'demo', subject, type: 'session.unknown', created_at: at(0), body: `{"${id}":1}`, ...change };
}

export const delivered = { status: 'delivered', tries: 1, delivered_at: at(1) } as const;
export const failed = { status: 'failed', tries: 9, failed_at: at(1), reason: 'timeout' } as const;

export function operation(id: string, more: Partial<Operation> = {}): Operation {
  return {
    id,
    account: 'demo',
    name: 'refund',
    created_at: at(0),
    version: 1,
    request: {},
    state: { status: 'in_flight' },
    ...more,
  };
}

export const answered: Operation['state'] = { status: 'answered', answer: {}, items: ['succeeded'] };
export const noAnswer: Operation['state'] = { status: 'unknown', reason: 'timeout', since: at(0), evidence: {} };

export function nextOperation(of: Operation, state: Operation['state'], more: Partial<Operation> = {}): Operation {
  return { ...of, version: of.version + 1, state, ...more };
}

export function refund(amount: bigint, original = 1000n, currency = 'BRL', transaction_id = 'T'): Reservation {
  return { transaction_id, currency, amount, original };
}

export const key = { account: 'demo', route: '/v1/refund', key: 'k-1' };
export const claim = { ...key, fingerprint: 'f', claimed_at: at(3600) };

export function notification(subject: string, seconds: number, sha256 = 'a'): Notification {
  const fields = { order_no: 'A' };
  return { kind: 'payment', subject, account: 'demo', received_at: at(seconds), bytes: 10, sha256, fields };
}
