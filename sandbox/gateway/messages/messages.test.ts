import { expect, test } from 'vitest';
import { cardPayment, pixPayment, startGateway } from '../testing.ts';
import { MessageLog } from './messages.ts';

test('the front page shows each message and its answer, newest first', async () => {
  const { authorise, query, url } = await startGateway();
  await authorise(cardPayment({ order_no: 'FIRST' }));
  await authorise(pixPayment({ order_no: 'SECOND' }));
  await query({ orders: 'FIRST' });
  const page = await (await fetch(url)).text();
  expect(page.match(/class="operation">\w+/g)).toEqual([
    'class="operation">query',
    'class="operation">apm_payment',
    'class="operation">direct_payment',
  ]);
  expect(page).toContain('0000:Success');
  expect(page).toContain('&lt;result_info&gt;0000:Success&lt;/result_info&gt;');
});

test('no message keeps or shows a card number or security code', async () => {
  const { authorise, post, messages, url } = await startGateway();
  const secrets = { card: '5555555555554444', security_code: 'CODE73' };
  await authorise(cardPayment(secrets));
  await authorise(cardPayment({ ...secrets, note: `my card is ${secrets.card}`, order_no: secrets.card }));
  await post('/v1/authorise', JSON.stringify({ ...secrets, cvv: secrets.security_code, [secrets.card]: 1 }));
  await post('/v1/authorise', `card=${secrets.card}&security_code=${secrets.security_code}`);
  const shown = `${JSON.stringify(messages.list())}${await (await fetch(url)).text()}`;
  expect(messages.list()).toHaveLength(4);
  expect(shown).not.toContain(secrets.card);
  expect(shown).not.toContain(secrets.security_code);
  expect(shown).toContain('555555******4444');
  expect(shown).toContain('***');
});

test.each(['/v1/retrievalTrans', '/v1/retrievalRefund'])(
  'JSON sent to the form at %s is refused, and not stored',
  async (path) => {
    const { post, url, messages } = await startGateway();
    const response = await post(path, ` ${JSON.stringify(cardPayment({ security_code: '86421' }))}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('Invalid input: the body is not a form');
    expect(`${JSON.stringify(messages.list())}${await (await fetch(url)).text()}`).not.toMatch(
      /86421|4111111111111111/,
    );
  },
);

test('an unknown field’s name is kept only if it is a name', async () => {
  const { authorise, url } = await startGateway();
  const response = await authorise(cardPayment({ 'cvv 97531': 'x', cart_items: [{ 'Code 86421': 1 }], colour: 'x' }));
  const text = await response.text();
  expect(text).toContain('no such field: (a name that is no field), colour');
  expect(text + (await (await fetch(url)).text())).not.toMatch(/97531|86421/);
});

test('the identifiers and dates of the gateway are shown whole', async () => {
  const { pay, query, url } = await startGateway({ now: () => new Date('2026-11-21T00:00:02Z') });
  const { transaction_id } = await pay();
  await query({ trades: String(transaction_id) });
  const page = await (await fetch(url)).text();
  expect(page).toContain(`<span class="order">${transaction_id}</span>`);
  expect(page).toContain(`&quot;transaction_id&quot;: &quot;${transaction_id}&quot;`);
  expect(page).toContain('&quot;transaction_date&quot;: &quot;20261121000002&quot;');
});

test('a refusal does not repeat the card', async () => {
  const { post } = await startGateway();
  const response = await post('/v1/authorise', JSON.stringify({ '5555555555554444': 1 }));
  expect(await response.text()).not.toContain('5555555555554444');
});

test('what a message says cannot become part of the page', async () => {
  const { authorise, url } = await startGateway();
  await authorise(cardPayment({ order_no: '<img src=x onerror=alert(1)>' }));
  const page = await (await fetch(url)).text();
  expect(page).not.toContain('<img');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

test('the last five hundred messages are kept', () => {
  const log = new MessageLog();
  for (let at = 1; at <= 501; at += 1) {
    log.add({ at: new Date(), operation: 'query', order_no: String(at), request: '', faults: [] });
  }
  expect(log.list()).toHaveLength(500);
  expect(log.list()[0]?.order_no).toBe('501');
  expect(log.list().at(-1)?.order_no).toBe('2');
});
