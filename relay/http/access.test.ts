import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { serve } from '../../test/support/http/http-server.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { sha256 } from '../base/keys.ts';
import type { KeyAccess } from '../routes/route.ts';
import { keyGuard, principalIn } from './access.ts';
import { problemHandler } from './answer.ts';

const keys: { name: string; scopes: Scope[] }[] = [
  { name: 'all', scopes: ['*'] },
  { name: 'reports', scopes: ['query'] },
];

/** The answer of a route that needs an API key, to a request with an `Authorization`, or of a signed-in person. */
async function answerTo(
  access: Omit<KeyAccess, 'kind'>,
  { authorization, person }: { authorization?: string; person?: readonly Scope[] },
) {
  const context = await testContext({
    account: { api_keys: keys.map((key) => ({ ...key, sha256: sha256(`key of ${key.name}`.replaceAll(' ', '-')) })) },
  });
  const [account] = context.config.accounts;
  const guard = keyGuard(context, { kind: 'api_key', ...access });
  const app = express();
  app.get('/', (req, res) => {
    if (person && account)
      res.locals.principal = { kind: 'person', account, by: 'person:ana', scopes: person, limits: {} };
    guard(req, res);
    const { by, account: own } = principalIn(res);
    res.json({ by, account: own.id });
  });
  app.use(problemHandler(context.log));
  const server = await serve(app);
  onTestFinished(server.close);
  const response = await fetch(server.url, { headers: authorization === undefined ? {} : { authorization } });
  const body: unknown = await response.json();
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body };
}

describe('a route that needs an API key', () => {
  it('accepts a key with its scope, or with all scopes', async () => {
    const scopes = ['query'] as const;
    const reports = await answerTo({ scopes }, { authorization: 'Bearer key-of-reports' });
    expect(reports).toMatchObject({ status: 200, body: { by: 'reports', account: 'demo' } });
    const all = await answerTo({ scopes }, { authorization: 'bearer key-of-all' });
    expect(all).toMatchObject({ status: 200, body: { by: 'all', account: 'demo' } });
  });

  it.each([
    ['no key', undefined],
    ['an unknown key', 'Bearer key-of-nothing'],
    ['the hash of a key', `Bearer ${sha256('key-of-all')}`],
    ['another kind of authorization', `Basic ${btoa('key-of-all:')}`],
    ['two keys', 'Bearer key-of-all key-of-reports'],
  ])('refuses %s', async (_, authorization) => {
    const answer = await answerTo({}, authorization === undefined ? {} : { authorization });
    expect(answer).toMatchObject({ status: 401, challenge: 'Bearer', body: { code: 'unauthorized' } });
  });

  it('refuses a key without the scope', async () => {
    const answer = await answerTo({ scopes: ['refund', 'payout'] }, { authorization: 'Bearer key-of-reports' });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', detail: 'Use an API key with the scope "refund" or "payout".' },
    });
  });

  it('leaves the scope to the handler if it depends on the request', async () => {
    const authorization = 'Bearer key-of-reports';
    const answer = await answerTo({ scopes: ['refund'], which: 'The scope of the operation.' }, { authorization });
    expect(answer).toMatchObject({ status: 200, body: { by: 'reports' } });
  });

  it('accepts a signed-in person with the scope, without a key', async () => {
    expect(await answerTo({ scopes: ['query'] }, { person: ['query'] })).toMatchObject({
      status: 200,
      body: { by: 'person:ana', account: 'demo' },
    });
    const refused = await answerTo({ scopes: ['refund'] }, { person: ['query'], authorization: 'Bearer key-of-all' });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', detail: 'This needs the scope "refund", which you do not have.' },
    });
  });
});
