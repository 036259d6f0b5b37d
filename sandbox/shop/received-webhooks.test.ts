import { expect, test } from 'vitest';
import { createReceivedWebhooks } from './received-webhooks.ts';

const webhook = (id: string, type: string) => ({ type, data: { id } });

test('a session’s events are kept in order, apart from other sessions', () => {
  const received = createReceivedWebhooks();
  received.add('msg_1', webhook('cs_1', 'session.redirected'));
  received.add('msg_2', webhook('cs_2', 'session.expired'));
  received.add('msg_3', webhook('cs_1', 'session.approved'));
  expect(received.of('cs_1').map(({ type }) => type)).toEqual(['session.redirected', 'session.approved']);
  expect(received.of('cs_3')).toEqual([]);
});

test('what was done with its transaction belongs to a session', () => {
  const received = createReceivedWebhooks();
  received.add('msg_1', webhook('cs_1', 'session.approved'));
  const refunded = { id: 'op_1', items: [{ transaction_id: 'T1' }, { transaction_id: 'T2' }] };
  received.add('msg_2', { type: 'operation.completed', data: refunded });
  expect(received.of('cs_1', 'T2').map(({ type }) => type)).toEqual(['session.approved', 'operation.completed']);
  expect(received.of('cs_1', 'T3')).toHaveLength(1);
  expect(received.of('cs_2')).toEqual([]);
});

test('only the last webhooks are kept', () => {
  const received = createReceivedWebhooks(2);
  for (const id of ['cs_1', 'cs_2', 'cs_3']) received.add(`msg_${id}`, webhook(id, 'session.approved'));
  expect(['cs_1', 'cs_2', 'cs_3'].map((id) => received.of(id).length)).toEqual([0, 1, 1]);
});

test('a waiter for a session’s event continues when it arrives', async () => {
  const received = createReceivedWebhooks();
  const waiting = received.soon('cs_1', 'session.approved', 60_000);
  received.add('msg_1', webhook('cs_2', 'session.approved'));
  received.add('msg_2', webhook('cs_1', 'session.redirected'));
  expect(await Promise.race([waiting.then(() => 'goes on'), passed(50, 'waits')])).toBe('waits');
  received.add('msg_3', webhook('cs_1', 'session.approved'));
  await waiting;
  await received.soon('cs_1', 'session.approved', 60_000);
});

test('waiting for an event ends at its timeout', async () => {
  await createReceivedWebhooks().soon('cs_1', 'session.approved', 20);
});

const passed = (ms: number, word: string) => new Promise<string>((done) => setTimeout(done, ms, word));
