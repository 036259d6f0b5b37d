import { expect } from 'vitest';
import { startReceiver, withReceiver } from '../http/receiver.ts';
import { apiKey, startTestRelay, type TestRelay } from '../relays/relay.ts';
import { RefundBooks } from './refund-books.ts';
import { type Script, scriptedGateway } from './scripted-gateway.ts';

export const transaction_id = '00012345678901234567';
export const item = (refund_amount: string, more: object = {}) => ({
  transaction_id,
  currency: 'BRL',
  amount: '129.90',
  refund_amount,
  ...more,
});

/** A relay at a gateway that keeps records of refunds; `start` starts another relay at it. */
export async function setUp(
  options: {
    script?: (books: RefundBooks) => Script;
    config?: Record<string, unknown>;
    profile?: Record<string, unknown>;
    folder?: string;
    now?: () => Date;
  } = {},
) {
  const books = new RefundBooks();
  const gateway = await scriptedGateway(options.script?.(books) ?? books.script);
  const { folder, config, profile, now } = options;
  const start = (more: object = {}) =>
    startTestRelay({
      gatewayUrl: gateway.url,
      timeoutMs: 4000,
      ...(folder ? { folder } : {}),
      ...(config ? { config } : {}),
      ...(profile ? { profile } : {}),
      ...(now ? { now } : {}),
      ...more,
    });
  const relay = await start();
  /** Makes a refund and returns the operation's id. */
  const refund = async (items: object[], headers: Record<string, string> = {}) => {
    const got = await relay.post('/v1/refund', apiKey, { refund_orders: items }, headers);
    return {
      status: got.status,
      code: got.body.code,
      id: String(got.headers.get('x-operation-id') ?? got.body.operation_id),
    };
  };
  return {
    books,
    gateway,
    relay,
    start,
    refund,
    refunds: () => gateway.sent('/v1/refund'),
    searches: () => gateway.sent('/v1/retrievalRefund'),
  };
}

/** A relay at such a gateway whose clock a test moves. Its searches are due a second later. */
export async function setUpTimed(config: Record<string, unknown>, profile: Record<string, unknown> = {}) {
  const clock = { now: new Date() };
  const receiver = await startReceiver();
  const stack = await setUp({ config: { ...withReceiver(receiver.url), ...config }, profile, now: () => clock.now });
  const later = (ms: number): void => {
    clock.now = new Date(clock.now.getTime() + ms);
  };
  const queriesOf = async (id: string) => (await stack.relay.context.store.operations.get(id))?.lookup?.looks ?? 0;
  return {
    ...stack,
    receiver,
    later,
    /** Advances the time until one more search for a refund is answered. */
    async searched(id: string, ms: number) {
      const before = await queriesOf(id);
      later(ms);
      await expect.poll(() => queriesOf(id), { interval: 20 }).toBe(before + 1);
    },
  };
}

export const operation = async (relay: TestRelay, id: string) => (await relay.get(`/v1/operations/${id}`, apiKey)).body;

/**
 * Waits until an operation is as expected, and returns it: a relay that stops during a search keeps its lease for
 * half a minute.
 */
export async function becomes(relay: TestRelay, id: string, expected: object) {
  await expect.poll(() => operation(relay, id), { interval: 20 }).toMatchObject(expected);
  return operation(relay, id);
}

/** Waits until an operation was searched for this many times, and expects that it is still unknown, with the reason. */
export async function staysUnknown(relay: TestRelay, id: string, found: string, queries = 2) {
  await expect
    .poll(async () => (await operation(relay, id)).unknown, { interval: 20 })
    .toMatchObject({
      queries,
      needs_attention: false,
      last_query: { found },
      next_query_at: expect.any(String),
    });
}
