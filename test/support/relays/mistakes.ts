import { expect } from 'vitest';
import type { documented } from './documented.ts';
import { apiKey, queryOnlyKey, type TestRelay } from './relay.ts';

/**
 * Sends the invalid requests that apply to any POST of the server-side API, and checks each answer against the
 * document.
 */
export async function mistakes(relay: TestRelay, reference: ReturnType<typeof documented>, path: string, real: string) {
  const wrong = (init: RequestInit) => relay.send(real, { method: 'POST', ...init });
  const authorization = `Bearer ${apiKey}`;
  const json = { authorization, 'content-type': 'application/json' };
  for (const answer of [
    await wrong({ headers: { 'content-type': 'application/json' }, body: '{}' }),
    await wrong({ headers: { authorization, 'content-type': 'text/plain' }, body: '{}' }),
    await wrong({ headers: json, body: '{' }),
    await wrong({ headers: json, body: '[]' }),
    await wrong({ headers: json, body: '{"no_such_field":1}' }),
    await wrong({ headers: json, body: JSON.stringify({ a: 'x'.repeat(1_100_000) }) }),
    await wrong({ headers: { ...json, 'idempotency-key': 'with a space' }, body: '{}' }),
    await relay.post(real, queryOnlyKey, {}),
  ]) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    reference.check('post', path, answer);
  }
  reference.check('post', path, await relay.send(real, { method: 'DELETE' }));
}
