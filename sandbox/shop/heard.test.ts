import { expect, test } from 'vitest';
import { createHeard } from './heard.ts';

const told = (id: string, type: string) => ({ type, data: { id } });

test('a session’s events are kept in order, apart from other sessions', () => {
  const heard = createHeard();
  heard.add('msg_1', told('cs_1', 'session.redirected'));
  heard.add('msg_2', told('cs_2', 'session.expired'));
  heard.add('msg_3', told('cs_1', 'session.approved'));
  expect(heard.of('cs_1').map(({ type }) => type)).toEqual(['session.redirected', 'session.approved']);
  expect(heard.of('cs_3')).toEqual([]);
});

test('what was done with its transaction belongs to a session', () => {
  const heard = createHeard();
  heard.add('msg_1', told('cs_1', 'session.approved'));
  const refunded = { id: 'op_1', items: [{ transaction_id: 'T1' }, { transaction_id: 'T2' }] };
  heard.add('msg_2', { type: 'operation.completed', data: refunded });
  expect(heard.of('cs_1', 'T2').map(({ type }) => type)).toEqual(['session.approved', 'operation.completed']);
  expect(heard.of('cs_1', 'T3')).toHaveLength(1);
  expect(heard.of('cs_2')).toEqual([]);
});

test('only the last webhooks are kept', () => {
  const heard = createHeard(2);
  for (const id of ['cs_1', 'cs_2', 'cs_3']) heard.add(`msg_${id}`, told(id, 'session.approved'));
  expect(['cs_1', 'cs_2', 'cs_3'].map((id) => heard.of(id).length)).toEqual([0, 1, 1]);
});

test('a waiter for a session’s event continues when it arrives', async () => {
  const heard = createHeard();
  const waiting = heard.soon('cs_1', 'session.approved', 60_000);
  heard.add('msg_1', told('cs_2', 'session.approved'));
  heard.add('msg_2', told('cs_1', 'session.redirected'));
  expect(await Promise.race([waiting.then(() => 'goes on'), passed(50, 'waits')])).toBe('waits');
  heard.add('msg_3', told('cs_1', 'session.approved'));
  await waiting;
  await heard.soon('cs_1', 'session.approved', 60_000);
});

test('who waits in vain goes on in the end', async () => {
  await createHeard().soon('cs_1', 'session.approved', 20);
});

const passed = (ms: number, word: string) => new Promise<string>((done) => setTimeout(done, ms, word));
