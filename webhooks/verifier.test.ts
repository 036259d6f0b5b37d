import { Webhook as Signer } from 'standardwebhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SessionAnswer } from '../shared/api/session.ts';
import { createVerifier, type Verifier, VerifierMisused, type VerifierOptions, WebhookRefused } from './verifier.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const secret = secretOf(1);
const time = '2027-03-31T10:15:02.000Z';
const now = new Date(time);
const session = {
  ...{ id: 'cs_1', status: 'expired', order_no: 'A-1', currency: 'BRL', amount: '129.90', revision: 1, attempts: [] },
  ...{ created_at: time, expires_at: time },
} as const;
const event = { type: 'session.expired', timestamp: time, data: session } as const;
const body = JSON.stringify(event);

/** The headers that the library of Standard Webhooks signs a body with. */
function headersOf(signed: string, { by = [secret], at = now, id = 'evt_1' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': by.map((one) => new Signer(one).sign(id, at, signed)).join(' '),
  };
}

const verifier = (options: Partial<VerifierOptions> = {}): Verifier =>
  createVerifier({ secrets: secret, now: () => now, ...options });
const ofCode = (code: string) => expect.objectContaining({ name: 'WebhookRefused', code });

describe('the verifier of webhooks', () => {
  it('gives an event with its id, typed by its type', async () => {
    const webhook = await verifier()(body, headersOf(body));
    expect(webhook).toEqual({ ...event, id: 'evt_1', known: true });
    if (!webhook.known || webhook.type !== 'session.expired') throw new Error('another event');
    expectTypeOf(webhook.data).toEqualTypeOf<SessionAnswer>();
    expect(webhook.data.order_no).toBe('A-1');
  });

  it.each([
    ['bytes', Buffer.from(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
    ['a part of a larger buffer', Buffer.from(`xx${body}xx`).subarray(2, -2)],
  ])('takes a body that is %s', async (_, given) => {
    expect(await verifier()(given, headersOf(body))).toMatchObject({ known: true, type: 'session.expired' });
  });

  it.each([
    ['fetch', new Headers(headersOf(body))],
    ['Node', { host: 'shop.example', ...headersOf(body) }],
    [
      'a runtime that keeps their case',
      { 'Webhook-Id': 'evt_1', ...renamed('Webhook-Timestamp', 'Webhook-Signature') },
    ],
    [
      'a runtime with lists',
      Object.fromEntries(Object.entries(headersOf(body)).map(([name, value]) => [name, [value]])),
    ],
    ['an own reader', { get: (name: string) => new Headers(headersOf(body)).get(name) ?? undefined }],
  ])('reads the headers of %s', async (_, headers) => {
    expect(await verifier()(body, headers)).toMatchObject({ id: 'evt_1' });
  });

  it('takes either of two secrets, and either of two signatures', async () => {
    const both = headersOf(body, { by: [secretOf(2), secretOf(3)] });
    expect(await verifier({ secrets: [secretOf(3), secretOf(4)] })(body, both)).toMatchObject({ known: true });
    await expect(verifier({ secrets: [secretOf(4)] })(body, both)).rejects.toEqual(ofCode('signature_wrong'));
  });

  it.each([
    ['another body', body.replace('129.90', '0.01'), headersOf(body)],
    ['one more byte', `${body} `, headersOf(body)],
    ['another id', body, { ...headersOf(body), 'webhook-id': 'evt_2' }],
    ['another timestamp', body, { ...headersOf(body), 'webhook-timestamp': String(now.getTime() / 1000 + 1) }],
    ['another secret', body, headersOf(body, { by: [secretOf(2)] })],
    ['a part of a signature', body, { ...headersOf(body), 'webhook-signature': 'v1,AAAA' }],
    ['no signature', body, { ...headersOf(body), 'webhook-signature': 'v1,' }],
    ['an unknown version', body, versionOf('v2')],
    ['no version', body, versionOf('')],
  ])('refuses %s', async (_, given, headers) => {
    await expect(verifier()(given, headers)).rejects.toEqual(ofCode('signature_wrong'));
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a request without %s', async (name) => {
    const headers = headersOf(body);
    for (const value of [undefined, '', [], ['one', 'other']]) {
      await expect(verifier()(body, { ...headers, [name]: value })).rejects.toEqual(ofCode('headers_missing'));
    }
    await expect(verifier()(body, new Headers())).rejects.toBeInstanceOf(WebhookRefused);
  });

  it('refuses what was signed too early or too late', async () => {
    const shifted = (seconds: number) => headersOf(body, { at: new Date(now.getTime() + seconds * 1000) });
    for (const seconds of [-300, 0, 300]) expect(await verifier()(body, shifted(seconds))).toBeTruthy();
    for (const seconds of [-301, 301]) {
      await expect(verifier()(body, shifted(seconds))).rejects.toEqual(ofCode('timestamp_refused'));
    }
    expect(await verifier({ toleranceSeconds: 3600 })(body, shifted(-3600))).toMatchObject({ known: true });
    const garbled = { ...headersOf(body), 'webhook-timestamp': '1e9' };
    await expect(verifier()(body, garbled)).rejects.toEqual(ofCode('timestamp_refused'));
  });

  it('gives a newer relay’s events as they are', async () => {
    const newer = JSON.stringify({ type: 'dispute.opened', timestamp: time, data: { id: 'dp_1', amount: '1.00' } });
    const webhook = await verifier()(newer, headersOf(newer));
    expect(webhook).toEqual({ ...JSON.parse(newer), id: 'evt_1', known: false });
    const changed = JSON.stringify({ ...event, data: { ...session, status: 'disputed', more: 1 } });
    expect(await verifier()(changed, headersOf(changed))).toEqual({
      ...JSON.parse(changed),
      id: 'evt_1',
      known: false,
    });
    const more = JSON.stringify({ ...event, data: { ...session, more: 1 } });
    expect(await verifier()(more, headersOf(more))).toMatchObject({ known: true, data: session });
  });

  it.each(['', 'null', '{}', '[1]', '{"type":1}', 'not JSON', '{"type":"x","timestamp":"t","data":[]}'])(
    'refuses a signed body that is no event: %j',
    async (given) => {
      await expect(verifier()(given, headersOf(given))).rejects.toEqual(ofCode('body_unusable'));
    },
  );

  it('says when the body was parsed already', async () => {
    const call: (given: unknown) => Promise<unknown> = (given) =>
      Reflect.apply(verifier(), undefined, [given, headersOf(body)]);
    for (const given of [event, undefined, null]) await expect(call(given)).rejects.toBeInstanceOf(VerifierMisused);
  });

  it.each(['', 'hunter2', 'whsec_', 'whsec_c2hvcnQ=', secret.slice(0, -1), `${secret} `, `whsec_${'A'.repeat(100)}`])(
    'refuses a malformed secret without quoting it: %j',
    (given) => {
      const make = () => createVerifier({ secrets: [secret, given] });
      expect(make).toThrow(VerifierMisused);
      if (given.length > 8) expect(make).not.toThrow(given);
    },
  );

  it('needs a secret, and a tolerance that is a number', () => {
    expect(() => createVerifier({ secrets: [] })).toThrow(VerifierMisused);
    expect(() => createVerifier({ secrets: secret, toleranceSeconds: Number.NaN })).toThrow(VerifierMisused);
  });
});

function renamed(...names: string[]): Record<string, string> {
  const headers: Record<string, string> = headersOf(body);
  return Object.fromEntries(names.map((name) => [name, headers[name.toLowerCase()] ?? '']));
}

function versionOf(version: string): Record<string, string> {
  const headers = headersOf(body);
  return { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', version) };
}
