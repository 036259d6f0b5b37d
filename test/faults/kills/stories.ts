import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ReceivedWebhook } from '../../support/http/receiver.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';
import type { startBooks } from './watched-gateway.ts';

export type Books = Awaited<ReturnType<typeof startBooks>>;

/** The goal of a client of the relay, which repeats its request as the API advises until the goal is reached. */
export type Story = {
  /** Preconditions, created at a relay that is not killed yet. */
  prepare(url: string): Promise<void>;
  /** Resolves when the goal is reached; rejects when the relay is killed. May run again at another relay. */
  run(url: string): Promise<void>;
  /** Compares the gateway's records with the relay's answers and with the webhooks that the shop received. */
  check(url: string, webhooks: readonly ReceivedWebhook[]): Promise<void>;
};

/** A story of one path. `wanted` is the movement of money that must happen exactly once. */
export const stories = {
  'a shopper pays': (books: Books): Story => {
    const one = order();
    let id = '';
    return {
      prepare: async () => undefined,
      async run(url) {
        const session = await repeated(url, '/v1/sessions', { order: one }, `session ${one.order_no}`);
        id = String(session.id);
        const secret = String(session.client_secret);
        await until('the session is paid', async () => {
          const { status } = (await get(url, '/checkout/api/session', secret)).body;
          if (status === 'open') await post(url, '/checkout/api/pay', secret, card);
          return status === 'approved';
        });
      },
      check: (url, webhooks) => isPaidOnce(url, { books, webhooks, orderNo: one.order_no, id }),
    };
  },

  'a server pays': (books: Books): Story => {
    const one = order();
    let tries = 1;
    let id = '';
    return {
      prepare: async () => undefined,
      run: (url) =>
        until('the order is paid', async () => {
          const key = `payment ${one.order_no} ${tries}`.replaceAll(' ', '-');
          const { body } = await post(url, '/v1/payments', apiKey, { ...one, ...card }, key);
          id = String(body.operation_id ?? body.id ?? id);
          if (body.status === 'approved') return true;
          if (body.code === 'in_progress' && body.operation_id === undefined) return false;
          const { status } = (await get(url, `/v1/sessions/${id}`, apiKey)).body;
          // Proven not to be paid: only now is a new payment requested.
          if (status === 'failed') tries += 1;
          return status === 'approved';
        }),
      check: (url, webhooks) => isPaidOnce(url, { books, webhooks, orderNo: one.order_no, id }),
    };
  },

  'a refund': (books: Books): Story => {
    const one = order();
    let transaction_id = '';
    const asked = operationStory('/v1/refund', () => books.refunds(transaction_id).length, 'searches');
    return {
      async prepare(url) {
        await post(url, '/v1/payments', apiKey, { ...one, ...card });
        // On a slow machine the gateway's answer may have timed out: the relay then queries the outcome.
        await until('the payment is known', async () => {
          const { body } = await get(url, `/v1/orders/${one.order_no}`, apiKey);
          const [payment] = Array.isArray(body.payments) ? body.payments : [];
          transaction_id = payment?.transaction_id ?? '';
          return transaction_id !== '';
        });
      },
      run: (url) => asked.run(url, () => ({ refund_orders: [{ ...one, transaction_id, refund_amount: '29.90' }] })),
      check: (url) => asked.check(url),
    };
  },

  'a payout': (books: Books): Story => {
    const reference = order().order_no;
    const requestIds = [randomUUID(), randomUUID(), randomUUID()];
    const asked = operationStory('/v1/payout', () => books.payouts(reference).length, 'a person');
    return {
      prepare: async () => undefined,
      run: (url) => asked.run(url, (n) => ({ ...payout, reference, request_id: requestIds[n - 1] })),
      check: (url) => asked.check(url),
    };
  },
};

const payout = {
  payment_amount: '35.50',
  payment_currency: 'BRL',
  source_amount: '35.50',
  source_currency: 'BRL',
  payment_method: 'SWIFT',
  reason: 'tea',
  beneficiary: { entity_type: 'COMPANY', company_name: 'Folha' },
};

/**
 * An operation that is requested under a key until it is done. If the relay cannot know the outcome, a person checks
 * the gateway's records.
 */
function operationStory(path: string, booked: () => number, settledBy: 'searches' | 'a person') {
  const keyBase = randomUUID();
  let tries = 1;
  let id = '';
  return {
    run: (url: string, bodyOf: (tries: number) => object) =>
      until(`${path} is done`, async () => {
        const { status, body, headers } = await post(url, path, apiKey, bodyOf(tries), `${keyBase}-${tries}`);
        id = headers.get('x-operation-id') ?? id;
        if (status === 400) throw new Error(JSON.stringify(body));
        if (status === 200) return true;
        if (body.code === 'in_progress' || body.code === 'store_unavailable') return false;
        const { body: operation } = await get(url, `/v1/operations/${id}`, apiKey);
        if (operation.status === 'unknown') {
          if (settledBy === 'a person')
            await post(url, `/v1/operations/${id}/settle`, apiKey, { outcome: booked() > 0 ? 'succeeded' : 'failed' });
          return false;
        }
        if (operation.status !== 'settled') return false;
        const isDone = JSON.stringify(operation.items) === '["succeeded"]';
        if (!isDone) tries += 1;
        return isDone;
      }),
    async check(url: string) {
      expect(booked(), 'money moved once').toBe(1);
      const { body } = await get(url, `/v1/operations/${id}`, apiKey);
      expect(['answered', 'settled']).toContain(body.status);
    },
  };
}

type Paid = { books: Books; webhooks: readonly ReceivedWebhook[]; orderNo: string; id: string };

async function isPaidOnce(url: string, { books, webhooks, orderNo, id }: Paid): Promise<void> {
  const charges = books.charges(orderNo);
  expect(charges, 'one charge').toHaveLength(1);
  const { body } = await get(url, `/v1/sessions/${id}`, apiKey);
  expect(body).toMatchObject({ status: 'approved', transaction_id: charges[0]?.transaction_id });
  const attempts = Array.isArray(body.attempts) ? body.attempts : [];
  expect(attempts.filter(({ status }) => status === 'approved')).toHaveLength(1);
  expect(attempts.filter(({ status }) => status === 'in_flight' || status === 'unknown')).toEqual([]);
  const tellsIt = ({ type, data }: ReceivedWebhook): boolean => type === 'session.approved' && data.id === id;
  await until('the shop gets the webhook', async () => webhooks.some(tellsIt));
}

/** A POST under a key, repeated until its answer contains the result. */
async function repeated(url: string, path: string, body: object, key: string): Promise<Record<string, unknown>> {
  let made: Record<string, unknown> = {};
  await until(path, async () => {
    const answer = await post(url, path, apiKey, body, key.replaceAll(' ', '-'));
    made = answer.body;
    return answer.status < 300;
  });
  return made;
}

type Reply = { status: number; headers: Headers; body: Record<string, unknown> };

async function post(url: string, path: string, bearer: string, body: object, key?: string): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${bearer}`,
    'content-type': 'application/json',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  return reply(await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function get(url: string, path: string, bearer: string): Promise<Reply> {
  return reply(await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${bearer}` } }));
}

async function reply(response: Response): Promise<Reply> {
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
