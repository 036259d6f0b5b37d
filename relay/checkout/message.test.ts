import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { payByApm, payByCard, payByToken } from '../../shared/checkout/pay.ts';
import { order, type PaymentMethod } from '../../shared/checkout/session.ts';
import { apmPaymentRequest } from '../../shared/gateway/apm-payment.ts';
import { directPaymentRequest } from '../../shared/gateway/direct-payment.ts';
import { encodeItems } from '../../shared/gateway/items.ts';
import { arbitraryOf } from '../../test/support/payments/arbitrary.ts';
import { testContext } from '../../test/support/stores/context.ts';
import type { Context } from '../context/context.ts';
import type { RequestFacts } from './fields/device.ts';
import { type PayBody, paymentMessage } from './message.ts';
import { newSession } from './server/session.ts';

let context: Context;
beforeAll(async () => {
  context = await testContext();
});

const header = fc.string({ unit: 'grapheme-ascii', maxLength: 1000 });
const facts = fc.record(
  {
    user_agent: header,
    accept: header,
    accept_language: header,
    shopper_ip: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('')),
    device_cookie: fc.constant('dv_cookie'),
  },
  { requiredKeys: ['user_agent', 'accept', 'accept_language', 'shopper_ip'], noNullPrototype: true },
);

/** Random values that a schema accepts, as it parses them. */
const read = <Schema extends z.ZodType>(schema: Schema): fc.Arbitrary<z.infer<Schema>> =>
  arbitraryOf(schema).map((value) => schema.parse(value));

/** Orders that the relay accepts: the gateway's string form cannot hold some items that the schema accepts. */
const orders = read(order).filter(({ items = [] }) => {
  try {
    return encodeItems(items) !== undefined;
  } catch {
    return false;
  }
});

/** The message of a payment of an order. */
function messageOf(sold: z.infer<typeof order>, body: PayBody, from: RequestFacts) {
  const [account] = context.config.accounts;
  if (!account) throw new TypeError('no account');
  const payment_methods: PaymentMethod[] = [
    { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.email'] },
  ];
  // An amount that every method accepts: the message treats all amounts alike.
  const taken = { ...sold, order_no: 'A-1', amount: '1.00' };
  const made = newSession(context, account, { order: taken, payment_methods });
  const session = { ...made, terms: { ...made.terms, order: sold } };
  const publicUrl = context.config.public_url;
  return paymentMessage({ session, account, publicUrl, body, facts: from, deviceId: 'dv_1', now: new Date() });
}

describe('the message of a payment', () => {
  for (const [name, schema] of Object.entries({ payByCard, payByToken })) {
    it(`follows the table of direct payments: ${name}`, () => {
      fc.assert(
        fc.property(orders, read(schema), facts, (sold, body, from) => {
          const { operation, message } = messageOf(sold, body, from);
          expect(operation).toBe('direct_payment');
          expect(directPaymentRequest.parse(message)).toStrictEqual(message);
        }),
        { numRuns: 25 },
      );
    });
  }

  it('follows the table of APM payments', () => {
    fc.assert(
      fc.property(orders, read(payByApm), facts, (sold, body, from) => {
        const paid = { ...body, payment_method: 'PIX' };
        const { operation, message } = messageOf(sold, paid, from);
        expect(operation).toBe('apm_payment');
        expect(apmPaymentRequest.parse(message)).toStrictEqual(message);
      }),
      { numRuns: 25 },
    );
  });

  it('takes a chosen plan whole', () => {
    const sold = order.parse({ order_no: 'A-1', currency: 'BRL', amount: '1.00', installments_id: 'i12' });
    const body = payByToken.parse({ token_id: 't', installments: '3' });
    const from = { user_agent: '', accept: '', accept_language: '', shopper_ip: '' };
    expect(messageOf(sold, body, from).message).toMatchObject({ installments: '3' });
    expect(messageOf(sold, body, from).message).not.toHaveProperty('installments_id');
    expect(messageOf(sold, payByToken.parse({ token_id: 't' }), from).message).toMatchObject({
      installments_id: 'i12',
    });
  });
});
