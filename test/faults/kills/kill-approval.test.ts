import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { heldAnswer } from '../../../shared/api/approval.ts';
import { type Me, me } from '../../../shared/api/console.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { stores } from '../../support/gateways/settlement.ts';
import { person } from '../../support/operators/approvals.ts';
import { cookieIn } from '../../support/operators/console.ts';
import { apiKey, order } from '../../support/relays/relay.ts';
import { sharedPostgres } from '../../support/stores/postgres.ts';
import { until } from '../../support/time/until.ts';
import { newFile, survivesDeaths } from './deaths.ts';
import type { Books, Story } from './stories.ts';

const console = { people: [person('Ada'), person('Bob')], approval: true, confirm_above: { BRL: '100.00' } };

it.each(stores)('a killed relay makes an approved payout once, on %s', async (kind) => {
  const store = kind === 'SQLite' ? async () => newFile() : async () => (await sharedPostgres()).database();
  await survivesDeaths(approvedPayout, { path: operations.payout.path, store, config: { console } });
});

/** Ada requests a payout, and Bob approves it repeatedly until it is done. */
function approvedPayout(books: Books): Story {
  const reference = order().order_no;
  let [id, operationId] = ['', ''];
  const booked = (): number => books.payouts(reference).length;
  const ask = async (url: string): Promise<void> => {
    const { body } = await as(url, 'Ada', 'payout', {
      ...{ payment_amount: '350.00', payment_currency: 'BRL', source_amount: '350.00', source_currency: 'BRL' },
      ...{ payment_method: 'SWIFT', reason: 'tea', reference, request_id: randomUUID() },
      beneficiary: { entity_type: 'COMPANY', company_name: 'Folha' },
    });
    id = heldAnswer.parse(body).approval.id;
  };
  const stateOf = async (url: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/v1/operations/${operationId}`, { headers });
    const operation: { status?: string; items?: string[] } = await answer.json();
    if (operation.status !== 'unknown') return operation;
    // A person checks the gateway's records.
    const body = JSON.stringify({ outcome: booked() > 0 ? 'succeeded' : 'failed' });
    await fetch(`${url}/v1/operations/${operationId}/settle`, { method: 'POST', headers, body });
    return operation;
  };
  return {
    prepare: ask,
    run: (url) =>
      until('the payout is done', async () => {
        const { status, headers, body } = await as(url, 'Bob', `approvals/${id}/approve`, {});
        operationId = headers.get('x-operation-id') ?? String(body.operation_id ?? operationId);
        if (status === 200) return true;
        if (body.code === 'in_progress' || body.code === 'store_unavailable') return false;
        const operation = await stateOf(url);
        if (operation.status !== 'settled') return false;
        if (operation.items?.[0] === 'succeeded') return true;
        // The payout was not made, and an approved request is not sent a second time.
        await ask(url);
        return false;
      }),
    check: async (url) => {
      expect(booked(), 'money moved once').toBe(1);
      expect(['answered', 'settled']).toContain((await stateOf(url)).status);
    },
  };
}

/** Signs a person in and posts. */
async function as(url: string, name: string, path: string, body: object) {
  const type = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${url}/console/api/sign-in`, {
    method: 'POST',
    headers: type,
    body: JSON.stringify({ name, password: `${name.toLowerCase()}’s` }),
  });
  const { csrf }: Me = me.parse(await signedIn.json());
  const answer = await fetch(`${url}/console/api/demo/v1/${path}`, {
    method: 'POST',
    headers: { ...type, cookie: cookieIn(signedIn.headers), 'x-csrf-token': csrf, 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  });
  const answered: Record<string, unknown> = await answer.json();
  return { status: answer.status, headers: answer.headers, body: answered };
}
