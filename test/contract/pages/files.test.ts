import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { redirection } from '../../support/gateways/issuer.ts';
import { scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, order, startTestRelay } from '../../support/relays/relay.ts';

/** Five megabytes in base64. */
const file = Buffer.alloc(5_000_000, 'a document').toString('base64');
const person = { documents: { file_type: 'application/pdf', file_data: file } };
const MIB = 1_048_576;

/** A method that asks for a document or does not. */
const pixWith = (...fields: string[]) => ({
  payment_methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix', ...(fields.length > 0 ? { fields } : {}) }],
});

async function setUp() {
  const gateway = await scriptedGateway((received, res) =>
    sendXml(res, signedXml(redirection(received, 'http://127.0.0.1:9/'))),
  );
  return { gateway, relay: await startTestRelay({ gatewayUrl: gateway.url }) };
}

it('a file of 5 MB from shop or form reaches the gateway', async () => {
  const { gateway, relay } = await setUp();
  const redirected = { status: 'redirect' };
  const given = await relay.session({ ...pixWith(), order: { person } });
  expect((await relay.pay(given.secret, { payment_method: 'PIX' })).body).toMatchObject(redirected);
  const asked = await relay.session(pixWith('person.documents.file_type', 'person.documents.file_data'));
  expect((await relay.pay(asked.secret, { payment_method: 'PIX', person })).body).toMatchObject(redirected);
  const byServer = await relay.post('/v1/payments', apiKey, { ...order(), payment_method: 'PIX', person });
  expect(byServer.body).toMatchObject(redirected);
  const sent = gateway.authorised().map(({ message }) => isDeepStrictEqual(message.person, person));
  expect(sent).toEqual([true, true, true]);
});

it('a body without files is limited to 1 MiB', async () => {
  const { relay } = await setUp();
  const padded = (bytes: number, more: object = {}) => {
    const body = JSON.stringify({ order: { ...order(), ...more } });
    return `${body}${' '.repeat(bytes - body.length)}`;
  };
  expect((await relay.post('/v1/sessions', apiKey, padded(MIB))).status).toBe(201);
  const tooLarge = { status: 413, body: { code: 'body_too_large' } };
  expect(await relay.post('/v1/sessions', apiKey, padded(MIB + 1))).toMatchObject(tooLarge);
  const besides = padded(MIB + file.length + 1, { person });
  expect(await relay.post('/v1/sessions', apiKey, besides)).toMatchObject(tooLarge);
  const larger = { documents: { file_data: `${file}${'A'.repeat(40_000)}` } };
  expect(await relay.post('/v1/sessions', apiKey, { order: { ...order(), person: larger } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'order.person.documents.file_data' }] },
  });
});
