import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { shown, startShop } from './testing.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const approved = { ...shown, status: 'approved' };
const line = (page: string) =>
  /<div class="received-webhooks">([\s\S]*?)<\/div>/.exec(page)?.[1]?.replace(/<[^>]+>|\n/g, '');

/** A shop that takes webhooks, in front of a relay that says that every order is paid, or `look`. */
async function start(look: object = approved) {
  const shop = await startShop({ body: look }, { body: look }, secret);
  const post = async (body: string, headers: Record<string, string>) => {
    const response = await fetch(`${shop.shop.url}/webhooks`, { method: 'POST', headers, body });
    return response.status;
  };
  const thanks = async (id = 'cs_1') => (await shop.open(`/thanks?session=${id}`)).text();
  return {
    post,
    thanks,
    tell: (id: string, content: object) => post(JSON.stringify(content), signed(id, JSON.stringify(content))),
    receivedLine: async (id = 'cs_1') => line(await thanks(id)),
  };
}

function signed(id: string, body: string, { key = secret, at = new Date() } = {}) {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, body),
  };
}

const event = (type: string, data: object = {}) => ({ type, timestamp: shown.created_at, data: { ...shown, ...data } });

test('the thanks page lists the order’s webhooks in order', async () => {
  const { tell, receivedLine } = await start();
  expect(await tell('msg_1', event('session.redirected'))).toBe(204);
  expect(await tell('msg_2', event('session.approved', { id: 'cs_2' }))).toBe(204);
  expect(await tell('msg_3', event('session.approved'))).toBe(204);
  expect(await receivedLine()).toMatch(/^The shop’s server received:session\.redirectedsession\.approved$/);
});

test('of a subscription it tells the recurring_id too', async () => {
  const { tell, receivedLine } = await start();
  await tell('msg_1', event('session.approved', { recurring_id: 'R-<77>' }));
  expect(await receivedLine()).toContain('session.approved with recurring_id R-&lt;77&gt;');
});

test('ships the tea once the payment is ready', async () => {
  const { tell, receivedLine, thanks } = await start();
  await tell('msg_1', event('session.approved'));
  expect(await thanks()).toContain('Your tea is paid.');
  const news = { order_no: shown.order_no, payment: { transaction_id: 'T1', session_id: 'cs_1' }, confirmed: true };
  await tell('msg_2', { type: 'payment.ready', timestamp: shown.created_at, data: news });
  expect(await receivedLine()).toContain('payment.ready');
  expect(await thanks()).toContain('Your tea is paid and on its way to the kettle.');
});

test('it lists the later charges of the contract', async () => {
  const { tell, receivedLine } = await start();
  await tell('msg_1', event('session.approved', { recurring_id: 'R-1' }));
  const about = (recurring_id: string) => ({ recurring_id, order_no: 'A-R2', failures: 0 });
  const payment = { transaction_id: 'T2', recurring_id: 'R-1' };
  const webhook = (type: string, data: object) => ({ type, timestamp: shown.created_at, data });
  expect(await tell('msg_2', webhook('payment.ready', { order_no: 'A-R2', payment, confirmed: true }))).toBe(204);
  expect(await tell('msg_3', webhook('subscription.charged', { ...about('R-1'), payment }))).toBe(204);
  expect(await tell('msg_4', webhook('subscription.charge_failed', about('R-2')))).toBe(204);
  expect(await receivedLine()).toMatch(
    /session\.approved with recurring_id R-1subscription\.charged with recurring_id R-1$/,
  );
});

test.each(['open', 'failed', 'unknown'])('also while the order is %s', async (status) => {
  const { tell, receivedLine } = await start({ ...shown, status });
  expect(await receivedLine()).toBe(undefined);
  await tell('msg_1', event('session.declined'));
  expect(await receivedLine()).toContain('session.declined');
});

test('a webhook that arrives after the shopper’s return is still shown', async () => {
  const { tell, receivedLine } = await start();
  const page = receivedLine();
  await new Promise((done) => setTimeout(done, 100));
  await tell('msg_1', event('session.approved'));
  expect(await page).toContain('session.approved');
});

test('a webhook that comes twice counts once', async () => {
  const { tell, receivedLine } = await start();
  for (const id of ['msg_1', 'msg_1', 'msg_1']) expect(await tell(id, event('session.approved'))).toBe(204);
  expect((await receivedLine())?.match(/session\.approved/g)).toHaveLength(1);
});

test('a webhook of an unknown type is acknowledged', async () => {
  const { tell } = await start();
  expect(await tell('msg_1', { type: 'tea.brewed', timestamp: shown.created_at, data: {} })).toBe(204);
});

test('a webhook as large as a hundred refunds’ batch is accepted', async () => {
  const { tell, receivedLine } = await start();
  expect(await tell('msg_1', event('session.approved', { more: 'x'.repeat(900_000) }))).toBe(204);
  expect(await receivedLine()).toContain('session.approved');
});

const body = JSON.stringify(event('session.approved'));
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test.each([
  ['has no signature', { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, body],
  ['was signed with another key', signed('msg_1', body, { key: other }), body],
  ['was signed ten minutes ago', signed('msg_1', body, { at: minutesAgo(10) }), body],
  ['was signed under another id', { ...signed('msg_1', body), 'webhook-id': 'msg_2' }, body],
  ['was changed on its way', signed('msg_1', body), body.replace('129.90', '1.00')],
  ['was written anew, with other spaces', signed('msg_1', body), JSON.stringify(JSON.parse(body), undefined, 2)],
])('a webhook that %s is refused', async (_, headers, sent) => {
  const { post, receivedLine } = await start({ ...shown, status: 'open' });
  expect(await post(sent, headers)).toBe(400);
  expect(await receivedLine()).toBe(undefined);
});

test('a shop without a secret receives no webhooks', async () => {
  const { shop } = await startShop({ body: approved });
  const response = await fetch(`${shop.url}/webhooks`, { method: 'POST', headers: signed('msg_1', body), body });
  expect(response.status).toBe(404);
});
