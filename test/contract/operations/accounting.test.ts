import { describe, expect, it } from 'vitest';
import { type OrderDetail, orderDetail } from '../../../shared/api/order.ts';
import { fromMinor, minorUnits } from '../../../shared/gateway/amounts.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { transaction_id } from '../../support/gateways/refunding.ts';
import { drop, type Received, type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { patient, stores, storesOf } from '../../support/gateways/settlement.ts';
import { willing } from '../../support/relays/idempotent.ts';
import { except } from '../../support/relays/operation-api.ts';
import { type Answer, apiKey, card, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const names = ['refund', 'capture', 'cancel', 'review'] as const;
type Name = (typeof names)[number];

/** A request about the payment: an operation, its amount, and fields that differ from the defaults. */
type Asked = [name: Name, amount: string, more?: object];

type Sums = Pick<
  OrderDetail['payments'][number],
  'status' | 'captured' | 'capturable' | 'refunded' | 'refund_undecided' | 'refundable'
>;

/** A payment of 10.00 without operations. */
const untouched: Sums = {
  ...{ status: 'paid', captured: '0.00', capturable: '10.00' },
  ...{ refunded: '0.00', refund_undecided: '0.00', refundable: '10.00' },
};

const reject = { review_flag: 'REJECT' };

/** The request body of one operation on a payment of 10.00. */
function bodyOf(paid: object, [name, amount, more]: Asked): object {
  const item = { ...paid, transaction_id, amount, ...more };
  const items = {
    refund: { ...item, amount: '10.00', refund_amount: amount },
    capture: item,
    cancel: item,
    review: { review_flag: 'ACCEPT', ...item },
  };
  return { [operations[name].batch.list]: [items[name]] };
}

/** What a message asks of the gateway, such as `capture 10.00`. */
function askedOf({ path, message }: Received): string[] {
  return names.flatMap((name) => {
    const items = operations[name].path === path ? message[operations[name].batch.list] : undefined;
    return Array.isArray(items) ? items.map((one) => `${name} ${one.refund_amount ?? one.amount}`) : [];
  });
}

/** Expects that an operation was refused with a code. */
function expectRefused({ status, body, text }: Answer, code: string, more: object = {}): void {
  const is = { status: code.endsWith('_differs') ? 400 : 409, body: { code, ...more } };
  expect({ status, body }, text).toMatchObject(is);
}

/** The error of a field of the item. */
const wrong = (name: Name, field: string, message: string): object => ({
  errors: [{ path: `${operations[name].batch.list}.0.${field}`, message }],
});

describe.each(stores)('operations are checked against the payment before sending, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A relay with a payment of 10.00 by card, and a gateway that executes every operation. */
  async function start(operate: Script = willing, capture: object = {}) {
    const gateway = await scriptedGateway(
      except((received, res, req) => (askedOf(received).length > 0 ? operate : willing)(received, res, req)),
    );
    const config = { resolve: patient, ...(await newStore()) };
    const settings = { gatewayUrl: gateway.url, profile: { capture }, config };
    const relay = await startTestRelay(settings);
    const paid = { ...order(), amount: '10.00' };
    expect((await relay.post('/v1/payments', apiKey, { ...paid, ...card })).body).toMatchObject({ transaction_id });
    const askOf =
      ({ post }: Pick<TestRelay, 'post'>) =>
      (...asked: Asked) =>
        post(operations[asked[0]].route.path, apiKey, bodyOf(paid, asked));
    const ask = askOf(relay);
    return {
      relay,
      ask,
      /** Starts another relay on the same store and returns a function that requests operations from it. */
      beside: async () => askOf(await startTestRelay({ ...settings, folder: relay.folder })),
      async does(...asked: Asked) {
        const { status, text } = await ask(...asked);
        expect(status, text).toBe(200);
      },
      async refuses(code: string, asked: Asked, more?: object) {
        expectRefused(await ask(...asked), code, more);
      },
      /** Expects these values of the payment in the answer to the order. */
      async shows(changes: Partial<Sums> = {}) {
        const { status, text, body } = await relay.get(`/v1/orders/${paid.order_no}`, apiKey);
        expect(status, text).toBe(200);
        const { payments } = orderDetail.parse(body);
        expect(payments).toMatchObject([{ transaction_id, amount: '10.00', ...untouched, ...changes }]);
      },
      /** The messages to the gateway, in order. */
      sent: () => gateway.received.flatMap(askedOf),
    };
  }

  it('refuses a capture of more than the payment', async () => {
    const { refuses, shows, sent } = await start();
    const limitError = wrong('capture', 'amount', 'must not be more than 10.00');
    await refuses('capture_exceeds_payment', ['capture', '9999.00'], limitError);
    expect(sent()).toEqual([]);
    await shows();
  });

  it('sends one of three equal simultaneous captures', async () => {
    let answer = (): void => undefined;
    const { ask, shows, sent, refuses } = await start((...message) => {
      answer = () => willing(...message);
    });
    const refused: Answer[] = [];
    const done: Answer[] = [];
    const all = [1, 2, 3].map(async () => {
      const one = await ask('capture', '10.00');
      (one.status === 200 ? done : refused).push(one);
    });
    await until('two are refused, and one is sent', () => refused.length === 2 && sent().length === 1);
    await shows({ capturable: '0.00' });
    answer();
    await Promise.all(all);
    const id = done[0]?.headers.get('x-operation-id');
    for (const one of refused) expectRefused(one, 'operation_undecided', { operation_ids: [id] });
    await refuses(
      'capture_exceeds_payment',
      ['capture', '10.00'],
      wrong('capture', 'amount', 'must not be more than 0.00'),
    );
    expect(sent()).toEqual(['capture 10.00']);
    await shows({ captured: '10.00', capturable: '0.00' });
  });

  it('sends no more captures from two relays than the payment allows', async () => {
    const { ask, beside, shows, sent } = await start();
    const askOther = await beside();
    const all = [
      ...['3.00', '3.01', '3.02'].map((amount) => ask('capture', amount)),
      ...['3.03', '3.04', '3.05'].map((amount) => askOther('capture', amount)),
    ];
    const refused = (await Promise.all(all)).filter(({ status }) => status !== 200);
    for (const one of refused) expectRefused(one, 'capture_exceeds_payment');
    expect([refused.length, sent().length]).toEqual([3, 3]);
    const captured = sent().reduce((sum, one) => sum + minorUnits(one.replace('capture ', ''), 'BRL'), 0n);
    const left = { captured: fromMinor(captured, 'BRL'), capturable: fromMinor(1000n - captured, 'BRL') };
    await shows({ status: 'partially_captured', ...left, refundable: left.captured });
  });

  it('sends no cancellation beside a capture or a refund', async () => {
    const answers: (() => void)[] = [];
    const { ask, beside, sent } = await start((...message) => void answers.push(() => willing(...message)));
    const askOther = await beside();
    const refused: Answer[] = [];
    const all = [ask('cancel', '10.00'), askOther('capture', '4.00'), askOther('refund', '4.00')].map(async (asked) => {
      const one = await asked;
      if (one.status !== 200) refused.push(one);
    });
    await until('each is sent or refused', () => refused.length + sent().length === 3);
    for (const one of refused) expectRefused(one, 'operation_undecided');
    const isCancelled = sent().includes('cancel 10.00');
    expect(sent()).toHaveLength(isCancelled ? 1 : 2);
    for (const answer of answers) answer();
    await Promise.all(all);
  });

  it('captures in two parts, and refuses a third', async () => {
    const { does, refuses, shows, sent } = await start();
    await does('capture', '4.00');
    await shows({ status: 'partially_captured', captured: '4.00', capturable: '6.00', refundable: '4.00' });
    await does('capture', '6.00');
    await refuses('capture_exceeds_payment', ['capture', '0.01']);
    expect(sent()).toEqual(['capture 4.00', 'capture 6.00']);
    await shows({ captured: '10.00', capturable: '0.00' });
  });

  it('refuses captures, refunds and cancellations after a cancellation', async () => {
    const { does, refuses, shows, sent } = await start();
    await does('cancel', '10.00');
    for (const name of ['capture', 'refund', 'cancel'] as const) {
      const why = wrong(name, 'transaction_id', 'This payment is cancelled.');
      await refuses('payment_cancelled', [name, '10.00'], why);
    }
    expect(sent()).toEqual(['cancel 10.00']);
    await shows({ status: 'cancelled', capturable: '0.00', refundable: '0.00' });
  });

  it('cancels the rest after a partial capture, and refunds the captured part', async () => {
    const { does, refuses, shows, sent } = await start();
    await does('capture', '4.00');
    await does('cancel', '10.00');
    const captured = { captured: '4.00', capturable: '0.00' };
    await shows({ status: 'partially_captured', ...captured, refundable: '4.00' });
    await refuses('payment_cancelled', ['capture', '6.00']);
    await refuses('payment_cancelled', ['cancel', '10.00']);
    const limitError = wrong('refund', 'refund_amount', 'must not be more than 4.00');
    await refuses('refund_exceeds_payment', ['refund', '4.01'], limitError);
    await does('refund', '4.00');
    expect(sent()).toEqual(['capture 4.00', 'cancel 10.00', 'refund 4.00']);
    await shows({ status: 'refunded', ...captured, refunded: '4.00', refundable: '0.00' });
  });

  it('refuses a cancellation of another amount', async () => {
    const { refuses, shows, sent } = await start();
    await refuses('amount_differs', ['cancel', '9.99'], wrong('cancel', 'amount', 'must be 10.00'));
    expect(sent()).toEqual([]);
    await shows();
  });

  it.each(names)('refuses a %s in another currency', async (name) => {
    const { refuses, shows, sent } = await start();
    await refuses('currency_differs', [name, '10.00', { currency: 'USD' }], wrong(name, 'currency', 'must be BRL'));
    expect(sent()).toEqual([]);
    await shows();
  });

  it('refuses a capture and a refund after a rejected review', async () => {
    const { does, refuses, shows, sent } = await start();
    await does('review', '10.00', reject);
    await refuses('payment_rejected', ['capture', '10.00']);
    await refuses('payment_rejected', ['refund', '10.00']);
    expect(sent()).toEqual(['review 10.00']);
    await shows({ status: 'rejected', capturable: '0.00', refundable: '0.00' });
  });

  it('goes on after a review that accepts the payment', async () => {
    const { does, shows } = await start();
    await does('review', '10.00');
    await does('capture', '10.00');
    await shows({ captured: '10.00', capturable: '0.00' });
  });

  /**
   * Operations whose answer is lost: what is refused meanwhile, and the payment before and after a person settles it.
   */
  type Lost = {
    lost: Asked;
    refused: [code: string, Asked][];
    meanwhile: Partial<Sums>;
    succeeded: Partial<Sums>;
  };
  const undecided = (...asked: Asked[]): Lost['refused'] => asked.map((one) => ['operation_undecided', one]);
  const lostOnes: Lost[] = [
    {
      lost: ['capture', '4.00'],
      refused: [
        ...undecided(['capture', '4.00'], ['cancel', '10.00']),
        ['capture_exceeds_payment', ['capture', '6.01']],
      ],
      meanwhile: { capturable: '6.00' },
      succeeded: { status: 'partially_captured', captured: '4.00', capturable: '6.00', refundable: '4.00' },
    },
    {
      lost: ['refund', '4.00'],
      refused: [...undecided(['cancel', '10.00']), ['refund_exceeds_payment', ['refund', '6.01']]],
      meanwhile: { refund_undecided: '4.00', refundable: '6.00' },
      succeeded: { status: 'partially_refunded', refunded: '4.00', refundable: '6.00' },
    },
    {
      lost: ['cancel', '10.00'],
      refused: undecided(['cancel', '10.00'], ['capture', '1.00'], ['refund', '1.00']),
      meanwhile: { capturable: '0.00', refundable: '0.00' },
      succeeded: { status: 'cancelled', capturable: '0.00', refundable: '0.00' },
    },
    {
      lost: ['review', '10.00', reject],
      refused: undecided(['review', '10.00'], ['capture', '1.00'], ['refund', '1.00']),
      meanwhile: { capturable: '0.00', refundable: '0.00' },
      succeeded: { status: 'rejected', capturable: '0.00', refundable: '0.00' },
    },
  ];

  it.each(lostOnes.flatMap((one) => (['failed', 'succeeded'] as const).map((outcome) => ({ ...one, outcome }))))(
    'reserves a lost $lost.0 until a person settles it as $outcome',
    async ({ lost, refused, meanwhile, succeeded, outcome }) => {
      const { ask, relay, does, refuses, shows, sent } = await start((received, res, req) =>
        (sent().length === 1 ? drop : willing)(received, res, req),
      );
      const { status, body } = await ask(...lost);
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      for (const [code, asked] of refused) {
        await refuses(code, asked, code === 'operation_undecided' ? { operation_ids: [body.operation_id] } : {});
      }
      expect(sent()).toHaveLength(1);
      await shows(meanwhile);
      const settled = await relay.post(`/v1/operations/${body.operation_id}/settle`, apiKey, { outcome });
      expect(settled.status, settled.text).toBe(200);
      await shows(outcome === 'failed' ? {} : succeeded);
      if (outcome === 'succeeded') return;
      await does(...lost);
      expect(sent()).toHaveLength(2);
      await shows(succeeded);
    },
  );

  it('follows a payment with manual capture to its end', async () => {
    const { does, refuses, shows, sent } = await start(willing, { card: 'manual' });
    await shows({ status: 'authorised', refundable: '0.00' });
    await refuses(
      'refund_exceeds_payment',
      ['refund', '1.00'],
      wrong('refund', 'refund_amount', 'must not be more than 0.00'),
    );
    await does('capture', '4.00');
    await shows({ status: 'partially_captured', captured: '4.00', capturable: '6.00', refundable: '4.00' });
    await does('capture', '6.00');
    const captured = { captured: '10.00', capturable: '0.00' };
    await shows({ status: 'paid', ...captured });
    await does('refund', '3.00');
    await shows({ status: 'partially_refunded', ...captured, refunded: '3.00', refundable: '7.00' });
    await does('refund', '7.00');
    await shows({ status: 'refunded', ...captured, refunded: '10.00', refundable: '0.00' });
    expect(sent()).toEqual(['capture 4.00', 'capture 6.00', 'refund 3.00', 'refund 7.00']);
  });

  it('refuses a capture if the gateway captures automatically', async () => {
    const { does, refuses, shows, sent } = await start(willing, { card: 'automatic' });
    const captured = { captured: '10.00', capturable: '0.00' };
    await shows(captured);
    const why = wrong('capture', 'transaction_id', 'This payment was captured with its approval.');
    await refuses('nothing_to_capture', ['capture', '10.00'], why);
    await does('refund', '10.00');
    expect(sent()).toEqual(['refund 10.00']);
    await shows({ status: 'refunded', ...captured, refunded: '10.00', refundable: '0.00' });
  });
});
