import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { paymentByApm, paymentByCard, paymentByToken } from '../../../shared/api/payment.ts';
import { decodeItems } from '../../../shared/gateway/items.ts';
import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { expectedWire } from '../../corpus/expected-wire.ts';
import { obliging } from '../../support/gateways/compliant-gateway.ts';
import { identity } from '../../support/gateways/operation-cases.ts';
import { type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { objectsOf, plainText } from '../../support/payments/arbitrary.ts';
import { account, apiKey, startTestRelay } from '../../support/relays/relay.ts';

type Fields = Record<string, unknown>;

const routed = operationNames.flatMap((name) => {
  const operation: Operation = operations[name];
  return operation.route ? [{ name, operation, route: operation.route }] : [];
});

async function setUp(script: Script = obliging) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { store: 'sqlite::memory:' } });
  return { gateway, relay };
}

let runs = 0;

/** The same request with names that no earlier run used. */
function fresh(body: Fields): Fields {
  runs += 1;
  const renamed = (fields: object, at: number | string): object =>
    'transaction_id' in fields
      ? { ...fields, transaction_id: `${runs}.${at}-${fields.transaction_id}`.slice(0, 255) }
      : fields;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (name === 'order_no') return [name, `${runs}-${value}`.slice(0, 255)];
      if (name === 'request_id') return [name, crypto.randomUUID()];
      if (name === 'references' && Array.isArray(value)) {
        return [name, value.map((reference, at) => `${runs}.${at}-${reference}`.slice(0, 255))];
      }
      return [
        name,
        Array.isArray(value)
          ? value.map((entry, at) => (typeof entry === 'object' ? renamed(entry, at) : entry))
          : value,
      ];
    }),
  );
}

/** Problems that concern the meaning of a body, not its form. */
function isMeant({ needsFilter, lists }: Operation, body: Fields): boolean {
  const named = Object.keys(lists).flatMap((list) => body[list] ?? []);
  if (needsFilter && named.some((entry) => String(entry).includes(','))) return false;
  return !needsFilter || named.length > 0;
}

/** A message as the gateway reads it: without the relay's own fields, and with its signature verified. */
function read(message: Fields): Fields {
  const { encryption_data, ...signed } = message;
  expect(encryption_data).toBe(sign(signed, account.signingSecret));
  const { merchant_id, account_id, ...rest } = signed;
  expect({ merchant_id, account_id }).toEqual(identity);
  return rest;
}

describe.each(routed)('$name', ({ operation, route }) => {
  const { batch }: Operation = operation;
  // The relay knows none of these payments, so their items omit nothing.
  const whole = batch ? { [batch.list]: z.array(batch.item).min(1) } : {};
  const bodies = objectsOf(route.body.safeExtend(whole)).filter((body) => isMeant(operation, body));

  it('reaches the gateway unchanged, for any body', async () => {
    const { gateway, relay } = await setUp();
    await fc.assert(
      fc.asyncProperty(bodies, async (drawn) => {
        const body = fresh(drawn);
        const before = gateway.sent(operation.path).length;
        const answer = await relay.post(route.path, apiKey, body);
        expect(answer.status, answer.text).toBe(200);
        expect(gateway.sent(operation.path)).toHaveLength(before + 1);
        const message = read(gateway.sent(operation.path)[before]?.message ?? {});
        // The relay does not send the shop's own references of the items.
        const { references: _, ...sent } = body;
        const wire = Object.entries(Object(expectedWire(sent))).map(([name, value]) => [
          name,
          operation.encoding === 'form' && Array.isArray(value) ? value.join(',') : value,
        ]);
        const { notify_url } = message;
        const filled = operation === operations.payout && body.notify_url === undefined ? { notify_url } : {};
        expect(message).toEqual({ ...filled, ...Object.fromEntries(wire) });
      }),
      { numRuns: 20 },
    );
  });

  it('returns any answer of the gateway to the shop', async () => {
    const next: { answer: Fields } = { answer: {} };
    const { gateway, relay } = await setUp(({ path, message }, res) => {
      // Before a refund, the relay searches for earlier refunds of its payment.
      if (path !== operation.path) return void res.writeHead(404).end();
      const answer = { ...next.answer, ...identity, ...echoOf(operation, message, next.answer) };
      next.answer = { ...answer, encryption_data: sign(answer, account.signingSecret) };
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(next.answer));
    });
    const answers = fc
      .tuple(objectsOf(operation.answer), unknownFields)
      .map(([answer, more]) => ({ ...more, ...answer }));
    await fc.assert(
      fc.asyncProperty(bodies.filter(hasNoLongNumber), answers.filter(hasNoLongNumber), async (drawn, answer) => {
        next.answer = answer;
        const before = gateway.sent(operation.path).length;
        const got = await relay.post(route.path, apiKey, fresh(drawn));
        expect(got.status, got.text).toBe(200);
        expect(gateway.sent(operation.path)).toHaveLength(before + 1);
        expect(withoutNotes(operation, got.body)).toEqual(JSON.parse(JSON.stringify(next.answer)));
      }),
      { numRuns: 20 },
    );
  });
});

/** An answer without the fields that the relay adds. */
function withoutNotes({ batch, settledBy }: Operation, { operation_id, ...answer }: Fields): Fields {
  if (settledBy !== undefined) expect(operation_id).toMatch(/^op_/);
  if (!batch) {
    const { outcome: _, ...own } = answer;
    return settledBy === undefined ? answer : own;
  }
  const results = answer[batch.list];
  if (!Array.isArray(results)) return answer;
  return { ...answer, [batch.list]: results.map(({ outcome: _, ...result }: Fields) => result) };
}

/** Fields that are in no specification. */
const unknownFields = fc.dictionary(
  fc.oneof(plainText({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', 'toString', 'length')),
  fc.jsonValue({ maxDepth: 4 }),
  { maxKeys: 4, noNullPrototype: true },
);

/** A long number may look like a card's, which the relay masks. */
function hasNoLongNumber(answer: object): boolean {
  return !/\d{12}/.test(JSON.stringify(answer));
}

/** The fields of the request that an answer must repeat to count as its answer. */
function echoOf({ batch }: Operation, message: Fields, answer: Fields): Fields {
  const asked = batch && message[batch.list];
  if (!batch || !Array.isArray(asked)) {
    const names = [
      'recurring_id',
      'request_id',
      'payment_amount',
      'payment_currency',
      'source_amount',
      'source_currency',
    ];
    return Object.fromEntries(names.filter((name) => name in message).map((name) => [name, message[name]]));
  }
  const results = Array.isArray(answer[batch.list]) ? Object(answer[batch.list]) : [];
  return { [batch.list]: asked.map((item, at) => ({ ...results[at], ...item })) };
}

describe.each([
  ['a card', paymentByCard],
  ['a token', paymentByToken],
  ['an APM', paymentByApm],
] as const)('a payment by %s', (_, schema) => {
  it('reaches the gateway unchanged, for any body', async () => {
    const { gateway, relay } = await setUp();
    const bodies = objectsOf(schema).filter(
      ({ order_no, items }) => !String(order_no).includes(',') && typeof items !== 'string',
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (drawn) => {
        const body = fresh(drawn);
        if ('return_url' in body) body.return_url = 'demoapp://paid';
        const before = gateway.received.length;
        const answer = await relay.post('/v1/payments', apiKey, body);
        expect(answer.status, answer.text).toBe(200);
        expect(gateway.received).toHaveLength(before + 1);
        const message = read(gateway.received[before]?.message ?? {});
        const { notify_url, return_url, checkout_time, ...sent } = message;
        const {
          return_url: _own,
          checkout_time: given,
          items: bought,
          metadata: _notes,
          ...wire
        } = Object(expectedWire(body));
        expect(notify_url).toMatch(/\/notify\/payment\//);
        if ('payment_method' in body)
          expect([checkout_time, String(return_url)]).toEqual([undefined, expect.stringMatching(/\/return\//)]);
        else expect(checkout_time).toEqual(given ?? expect.any(Number));
        expect({ ...sent, ...(bought ? { items: decodeItems(String(sent.items)) } : {}) }).toEqual({
          ...wire,
          ...(bought ? { items: bought } : {}),
        });
      }),
      { numRuns: 20 },
    );
  });
});
