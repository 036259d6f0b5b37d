import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { webhookHeaders, webhookKey } from './signing.ts';

const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
const at = 1614265330_000;
const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

describe('signing a webhook', () => {
  it('gives the published vector of Standard Webhooks', () => {
    expect(webhookHeaders(event, [published], at)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('signs with each of two secrets', () => {
    const secrets = [secretOf(32), secretOf(24)];
    const headers = webhookHeaders(event, secrets, Date.now());
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of secrets) expect(new Webhook(secret).verify(event.body, headers)).toEqual({ test: 2432232314 });
    expect(() => new Webhook(secretOf(40)).verify(event.body, headers)).toThrow('No matching signature');
  });

  it('signs the bytes of the body, the id and the time', () => {
    const headers = webhookHeaders({ id: 'msg_1', body: '{"name":"Zoë 🍃"}' }, [published], Date.now());
    const verify = (body: string, change: object) => new Webhook(published).verify(body, { ...headers, ...change });
    expect(verify('{"name":"Zoë 🍃"}', {})).toEqual({ name: 'Zoë 🍃' });
    expect(() => verify('{"name":"Zoe 🍃"}', {})).toThrow();
    expect(() => verify('{"name":"Zoë 🍃"}', { 'webhook-id': 'msg_2' })).toThrow();
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(() => verify('{"name":"Zoë 🍃"}', { 'webhook-timestamp': later })).toThrow();
  });
});

describe('a webhook secret', () => {
  it.each([24, 25, 26, 32, 64])('may have %i bytes', (bytes) => {
    expect(webhookKey(secretOf(bytes))).toEqual(Buffer.alloc(bytes, 7));
  });

  it.each([
    ['has 23 bytes', secretOf(23)],
    ['has 65 bytes', secretOf(65)],
    ['has no prefix', Buffer.alloc(32).toString('base64')],
    ['lacks its padding', secretOf(25).replaceAll('=', '')],
    ['is base64url', `whsec_${'-_'.repeat(16)}`],
    ['is a sentence', 'whsec_correct horse battery staple and more'],
    ['is empty', ''],
  ])('is none when it %s', (_, secret) => {
    expect(webhookKey(secret)).toBeUndefined();
  });
});
