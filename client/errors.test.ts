import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { problemReply, type Reply, scriptedKey, scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import {
  ClientMisused,
  createClient,
  RelayAnswerUnusable,
  RelayRefused,
  RelayUnreachable,
  TurnpikeError,
} from './index.ts';

const card = { card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' };
const payment = { order_no: 'A-1', currency: 'BRL', amount: '129.90', shopper_email: 'ada@example.com', ...card };

/** What a payment against these replies is rejected with. */
async function rejection(...replies: [Reply, ...Reply[]]): Promise<unknown> {
  const relay = await scriptedRelay(...replies);
  const call = relay.client({ timeoutMs: 4000 }).payments.create(payment, { idempotencyKey: 'payment-1' });
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a problem', () => {
  it('becomes RelayRefused with the relay’s code and fields', async () => {
    const errors = [{ path: 'shopper_email', message: 'must be an address' }];
    const headers = { 'x-request-id': 'req_1' };
    const error = await rejection(problemReply('invalid_request', { errors }, headers));
    expect(error).toBeInstanceOf(RelayRefused);
    expect(error).toBeInstanceOf(TurnpikeError);
    expect(error).toMatchObject({
      name: 'RelayRefused',
      code: 'invalid_request',
      status: 400,
      title: 'The request does not have the form that it should',
      detail: 'Do otherwise.',
      errors,
      operationId: undefined,
      requestId: 'req_1',
      idempotencyKey: 'payment-1',
      message: 'POST /v1/payments was refused: 400 invalid_request: shopper_email must be an address',
    });
  });

  it('names the operation that it is about, by body or header', async () => {
    expect(await rejection(problemReply('outcome_unknown', { operation_id: 'op_1' }))).toMatchObject({
      code: 'outcome_unknown',
      message: 'POST /v1/payments was refused: 409 outcome_unknown: Do otherwise.',
      operationId: 'op_1',
    });
    expect(await rejection(problemReply('outcome_unknown', {}, { 'x-operation-id': 'op_2' }))).toMatchObject({
      operationId: 'op_2',
    });
  });

  it('of a newer relay keeps its code', async () => {
    const reply: Reply = { status: 418, body: { code: 'teapot', title: 'A teapot', more: 1 } };
    expect(await rejection(reply)).toMatchObject({
      ...{ code: 'teapot', status: 418, detail: '', errors: [] },
      message: 'POST /v1/payments was refused: 418 teapot: A teapot',
    });
  });
});

describe('no answer', () => {
  it.each([
    ['drop', 'ECONNRESET'],
    ['hang', 'timeout'],
  ] as const)('becomes RelayUnreachable with the key to repeat it by (%s)', async (reply, reason) => {
    const error = await rejection(reply);
    expect(error).toBeInstanceOf(RelayUnreachable);
    expect(error).toMatchObject({
      code: 'relay_unreachable',
      idempotencyKey: 'payment-1',
      message: expect.stringMatching(
        new RegExp(`^POST /v1/payments got no answer from http://127\\.0\\.0\\.1:\\d+ \\(${reason}\\)$`),
      ),
      reason,
      cause: expect.any(Error),
    });
  });

  it('has the generated key if the caller gave none', async () => {
    const relay = await scriptedRelay('drop');
    const error: unknown = await relay
      .client({ tries: 1 })
      .payments.create(payment)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ idempotencyKey: relay.asked[0]?.headers['idempotency-key'] });
  });
});

describe('an answer in another form', () => {
  it.each<[Reply, number]>([
    [{ status: 200, body: '<h1>hello</h1>' }, 200],
    [{ status: 200, body: { status: 'approved' } }, 200],
    [{ status: 404, body: 'no such page' }, 404],
    [{ status: 500, body: { message: 'oops' } }, 500],
    [{ status: 302, headers: { location: 'https://elsewhere.example' }, body: '' }, 302],
  ])('becomes RelayAnswerUnusable: %j', async (reply, status) => {
    const error = await rejection(reply);
    expect(error).toBeInstanceOf(RelayAnswerUnusable);
    expect(error).toMatchObject({ code: 'relay_answer_unusable', status, idempotencyKey: 'payment-1' });
  });

  it('is reported by its wrong paths, without their values', async () => {
    const body = { id: 'cs_1', order_no: 'A-1', status: 'redirect', redirect_url: 'javascript:alert(1)' };
    expect(await rejection({ status: 200, body })).toMatchObject({
      message: 'POST /v1/payments was answered 200 in an unknown form (redirect_url): is url the address of a relay?',
    });
  });
});

describe('an error', () => {
  it.each<[string, Reply]>([
    ['a problem', problemReply('invalid_request', { instance: card.card })],
    ['no answer', 'drop'],
    ['a timeout', 'hang'],
    ['another form', { status: 200, body: { ...card, key: scriptedKey } }],
    ['no JSON', { status: 500, body: `${scriptedKey} ${card.card}` }],
  ])('after %s shows no key, card or shopper data at any depth', async (_what, reply) => {
    const error = await rejection(reply);
    const seen = inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(error);
    expect(seen).toContain('payment-1');
    for (const secret of [scriptedKey, card.card, '"737"', "'737'", payment.shopper_email]) {
      expect(seen).not.toContain(secret);
    }
  });
});

describe('what cannot be sent', () => {
  const url = 'https://pay.example';
  it.each([
    { url: 'pay.example', apiKey: 'k' },
    { url: 'ftp://pay.example', apiKey: 'k' },
    { url: 'https://user:pass@pay.example', apiKey: 'k' },
    { url: `${url}?x=1`, apiKey: 'k' },
    { url, apiKey: '' },
    { url, apiKey: 'sk_live_secret\n' },
    { url, apiKey: 'k', tries: 0 },
    { url, apiKey: 'k', timeoutMs: 1.5 },
  ])('makes no client: %j', (options) => {
    expect(() => createClient(options)).toThrow(ClientMisused);
    expect(() => createClient(options)).not.toThrow(/sk_live_secret|pass/);
  });

  it.each([
    ['', /^url is missing: give the relay’s address, such as .* see that the variable is set$/],
    ['pay.example', /^url must be .*: write http:\/\/ or https:\/\/ before it$/],
    ['127.0.0.1:8080', /^url must be .*: write http:\/\/ or https:\/\/ before it$/],
    ['ftp://pay.example', /^url must be .* query or fragment$/],
    ['https://pay.example/v1', /^url must not end in \/v1/],
    ['https://pay.example/v1/', /^url must not end in \/v1/],
  ])('names what is wrong with the url %j', (wrong, message) => {
    expect(() => createClient({ url: wrong, apiKey: 'k' })).toThrow(message);
  });

  it('rejects and is not sent', async () => {
    const relay = await scriptedRelay({ status: 200, body: {} });
    const client = relay.client();
    for (const key of ['', 'two words', 'a"quote', 'é', 'x'.repeat(256)]) {
      await expect(client.payments.create(payment, { idempotencyKey: key })).rejects.toThrow(ClientMisused);
    }
    for (const id of ['', '..', 'a/b', 'cs_1.the-client-secret', 'op_1?x']) {
      await expect(client.sessions.get(id)).rejects.toThrow(ClientMisused);
      await expect(client.operations.settle(id, { outcome: 'failed' })).rejects.toMatchObject({
        code: 'client_misused',
        message: expect.not.stringContaining('the-client-secret'),
      });
    }
    expect(relay.asked).toEqual([]);
  });

  /** What plain JavaScript can pass, whatever the types say: a variable of the environment that is not set, say. */
  const untyped = (value: unknown) => JSON.parse('0', () => value);

  it('is refused with what to do when missing or of another type', async () => {
    const missing = untyped(undefined);
    expect(() => createClient({ url, apiKey: missing })).toThrow(/^apiKey is missing: give/);
    expect(() => createClient({ url: missing, apiKey: 'k' })).toThrow(/^url is missing: give/);
    const relay = await scriptedRelay({ status: 200, body: {} });
    const client = relay.client();
    for (const id of [missing, untyped(null), untyped(17)]) {
      await expect(client.sessions.get(id)).rejects.toMatchObject({
        code: 'client_misused',
        message: 'an id is missing: give the one that the relay answered with',
      });
      await expect(client.operations.settle(id, { outcome: 'failed' })).rejects.toThrow(ClientMisused);
    }
    for (const key of [untyped(null), untyped(17)]) {
      await expect(client.payments.create(payment, { idempotencyKey: key })).rejects.toThrow(/^idempotencyKey must be/);
    }
    expect(relay.asked).toEqual([]);
  });

  it('says what to do where a body cannot be written as JSON', async () => {
    const relay = await scriptedRelay({ status: 200, body: {} });
    const round: { self?: object } = {};
    round.self = round;
    for (const body of [undefined, null, 'text', () => ({}), round, { ...payment, amount: 12990n }]) {
      await expect(relay.client().payments.create(untyped(body))).rejects.toMatchObject({
        code: 'client_misused',
        message: expect.stringMatching(/^the body must be an object .* decimal strings/),
      });
    }
    expect(relay.asked).toEqual([]);
  });
});
