import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromMinor, inCurrency, sameAmount, toMinor } from '../../../shared/gateway/amounts.ts';
import { identity } from '../../support/gateways/operation-cases.ts';
import { approval, scriptedGateway, sendSigned, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

const cents = fc.bigInt({ min: 0n, max: 99_999_999_999_999_999n });

it('writes an amount with two decimals, and reads it back', () => {
  fc.assert(
    fc.property(cents, fc.nat({ max: 4 }), (amount, zeros) => {
      const written = fromMinor(amount, 'BRL');
      expect(written).toMatch(/^\d+\.\d\d$/);
      expect(toMinor(written, 'BRL')).toBe(amount);
      const [whole = '', fraction = ''] = written.split('.');
      const padded = `${'0'.repeat(Math.min(zeros, 15 - whole.length))}${whole}`;
      const spellings = [`${padded}.${fraction}`];
      if (fraction.endsWith('0')) spellings.push(`${padded}.${fraction[0]}`);
      if (fraction === '00') spellings.push(padded);
      for (const spelling of spellings) {
        expect(inCurrency(spelling, 'BRL')).toBe(written);
        expect(sameAmount(spelling, written)).toBe(true);
      }
    }),
  );
});

it('treats two amounts as equal only when their values are equal', () => {
  fc.assert(
    fc.property(cents, cents, (left, right) => {
      expect(sameAmount(fromMinor(left, 'BRL'), fromMinor(right, 'BRL'))).toBe(left === right);
    }),
  );
});

it('accepts no other text as an amount', () => {
  const others = fc.oneof(fc.string(), fc.stringMatching(/^[-+ ]?\d{1,3}([.,eE]\d{0,3})?[ %]?$/));
  fc.assert(
    fc.property(others, (text) => {
      fc.pre(!/^\d{1,15}(\.\d+)?$/.test(text));
      expect(() => inCurrency(text, 'BRL')).toThrow(RangeError);
    }),
  );
});

/** What the gateway does with a batch of refunds. */
const behaviours = ['done', 'failed', 'alternating', 'refused', 'lost', 'lost and done', 'lost and not done'] as const;
type Behaviour = (typeof behaviours)[number];

const steps = fc.array(
  fc.record({
    amounts: fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 3 }),
    behaviour: fc.constantFrom(...behaviours),
  }),
  { minLength: 1, maxLength: 10 },
);

/** The items of a batch that the gateway executed. */
const isDone = (behaviour: Behaviour, at: number): boolean =>
  behaviour === 'done' || (behaviour === 'alternating' && at % 2 === 0);

async function setUp() {
  let payments = 0;
  const now: { behaviour: Behaviour } = { behaviour: 'done' };
  const gateway = await scriptedGateway((received, res) => {
    const { path, message } = received;
    if (path === '/v1/authorise') {
      payments += 1;
      return sendXml(res, signedXml({ ...approval(received), transaction_id: `T-${payments}` }));
    }
    if (path !== '/v1/refund' || now.behaviour.startsWith('lost')) return void res.destroy();
    if (now.behaviour === 'refused') return void res.writeHead(400).end();
    const asked = Array.isArray(message.refund_orders) ? message.refund_orders : [];
    const refund_orders = asked.map((item, at) =>
      isDone(now.behaviour, at)
        ? { ...item, refund_status: '1', refund_message: 'V0000:OK' }
        : { ...item, refund_status: '0', refund_message: 'V0009:No' },
    );
    const answer = { ...identity, return_status: '1', return_message: 'OK', refund_orders };
    sendSigned(res, answer);
  });
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store: 'sqlite::memory:' } });
  /** Pays 1.00 and returns what its refunds name. `known`: the relay made the payment and knows the amount. */
  const paid = async (known: boolean): Promise<object> => {
    const payment = { ...order(), amount: '1.00' };
    if (!known) {
      payments += 1;
      return { transaction_id: `T-${payments}`, currency: 'BRL', amount: '1.00' };
    }
    const { body } = await relay.post('/v1/payments', apiKey, { ...payment, ...card });
    // The relay uses its own amount of the payment, not the shop's.
    return { transaction_id: body.transaction_id, currency: 'BRL', amount: '5.00' };
  };
  const refund = (item: object, amounts: readonly number[]) =>
    relay.post('/v1/refund', apiKey, {
      refund_orders: amounts.map((amount) => ({ ...item, refund_amount: fromMinor(BigInt(amount), 'BRL') })),
    });
  const refunds = () => gateway.received.filter(({ path }) => path === '/v1/refund').length;
  return { relay, now, paid, refund, refunds };
}

it('never refunds more than was paid, for any outcomes', async () => {
  const { relay, now, paid, refund, refunds } = await setUp();
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (known, story) => {
      const payment = await paid(known);
      let left = 100;
      for (const { amounts, behaviour } of story) {
        now.behaviour = behaviour;
        const before = refunds();
        const answer = await refund(payment, amounts);
        const sum = amounts.reduce((total, amount) => total + amount, 0);
        if (sum > left) {
          expect(answer).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
          expect(refunds(), 'nothing was sent').toBe(before);
          continue;
        }
        expect(refunds()).toBe(before + 1);
        if (behaviour === 'refused') {
          expect(answer.status, answer.text).toBe(422);
          // These refunds cannot be searched for, so nothing is sent until a person settles them as not made.
          expect((await refund(payment, [1])).status).toBe(503);
          const path = `/v1/operations/${answer.body.operation_id}/settle`;
          expect((await relay.post(path, apiKey, { outcome: 'failed' })).status).toBe(200);
        } else if (behaviour.startsWith('lost')) {
          expect(answer).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
          left -= sum;
          if (behaviour === 'lost') continue;
          const outcome = behaviour === 'lost and done' ? 'succeeded' : 'failed';
          const settled = await relay.post(`/v1/operations/${answer.body.operation_id}/settle`, apiKey, { outcome });
          expect(settled.status, settled.text).toBe(200);
          if (outcome === 'failed') left += sum;
        } else {
          expect(answer.status, answer.text).toBe(200);
          left -= amounts.filter((_, at) => isDone(behaviour, at)).reduce((total, amount) => total + amount, 0);
        }
      }
      if (left > 0) {
        now.behaviour = 'done';
        expect((await refund(payment, [left])).status, 'the rest can go back').toBe(200);
      }
      expect((await refund(payment, [1])).status, 'and then nothing').toBe(409);
    }),
    { numRuns: 30 },
  );
});

it('never refunds more than was paid in concurrent requests', async () => {
  const { now, paid, refund } = await setUp();
  now.behaviour = 'done';
  const many = fc.array(fc.constantFrom(10, 10, 25, 50, 100), { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), many, async (known, amounts) => {
      const payment = await paid(known);
      const answers = await Promise.all(amounts.map((amount) => refund(payment, [amount])));
      const back = amounts.filter((_, at) => answers[at]?.status === 200).reduce((total, amount) => total + amount, 0);
      expect(back).toBeLessThanOrEqual(100);
      const smallest = Math.min(...amounts.filter((_, at) => answers[at]?.status !== 200), 101);
      expect(back + smallest, 'what would still fit was not refused').toBeGreaterThan(100);
    }),
    { numRuns: 30 },
  );
});
