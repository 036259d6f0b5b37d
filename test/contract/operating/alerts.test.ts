import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startAlerts } from '../../../relay/alerts/alerts.ts';
import { StoreError } from '../../../relay/base/errors.ts';
import { checkConfig } from '../../../relay/config/load.ts';
import { attention } from '../../../shared/api/attention.ts';
import { blocksOf } from '../../support/docs/doc-blocks.ts';
import { setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { startReceiver, webhookSecret } from '../../support/http/receiver.ts';
import { until } from '../../support/time/until.ts';

const HOUR_MS = 3_600_000;

/** A mail server that keeps the mails that it accepts. `refuse` makes it refuse mails. */
async function startMailServer() {
  const mails: { to: string[]; text: string }[] = [];
  const state = { refuse: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        if (state.refuse)
          return done(Object.assign(new Error('5.7.1 ops@shop.example is unknown'), { responseCode: 550 }));
        const text = decoded(Buffer.concat(parts).toString('utf8'));
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  const address = server.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { mails, state, smtp: { url: `smtp://127.0.0.1:${address.port}`, from: 'Turnpike <pay@shop.example>' } };
}

/** A mail with its transfer encoding decoded. */
function decoded(mail: string): string {
  const words = mail.replace(/=\?UTF-8\?B\?([^?]+)\?=\s*/gi, (_, base64) => Buffer.from(base64, 'base64').toString());
  return words
    .replace(/=\?UTF-8\?Q\?([^?]+)\?=\s*/gi, (_, text) => quoted(text.replaceAll('_', ' ')))
    .replace(/=\r\n/g, '')
    .replace(/((?:=[0-9A-F]{2})+)/g, quoted);
}

const quoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

describe.each(stores)('alerts, with %s', (store) => {
  const newStore = storesOf(store);

  /** A relay whose gateway reports amounts that differ from the orders': each such order needs a person. */
  async function setUp() {
    const stack = await setUpSettlement(newStore);
    const { relay, session, byCard, books, becomes } = stack;
    return {
      ...stack,
      /** Creates a case and returns its order. */
      async wrong(): Promise<string> {
        const { id, secret, orderNo } = await session();
        await byCard(secret);
        books.write(orderNo, `T-${orderNo}`, '3000', { amount: '1.00' });
        await becomes(id, { unknown: { reason: 'amount_differs' } });
        return orderNo;
      },
      /** Starts the sender of alerts, as another relay on the store would. */
      alert(alerts: object) {
        const { accounts, alerts: read } = checkConfig({ ...minimal, alerts }, {});
        expect(accounts).toHaveLength(2);
        const console = { ...relay.context.config.console, people: [{ name: 'Ada', scopes: [], accounts: [] }] };
        const config = { ...relay.context.config, console, alerts: read };
        const sending = startAlerts({ ...relay.context, config }, 20);
        onTestFinished(() => sending.stop());
        return sending;
      },
      metric: async (result: string) => {
        const { text } = await relay.get('/metrics');
        return Number(new RegExp(`^turnpike_alerts_total{result="${result}"} (\\d+)$`, 'm').exec(text)?.[1]);
      },
    };
  }

  it('mails each case once, with its page', async () => {
    const { alert, wrong, relay } = await setUp();
    const { mails, smtp } = await startMailServer();
    const first = await wrong();
    const recipients = [{ id: 'ops', email: 'ops@shop.example', accounts: ['demo'] }];
    alert({ smtp, recipients });
    alert({ smtp, recipients });
    await until('the first mail', () => mails.length === 1);
    expect(mails[0]?.to).toEqual(['ops@shop.example']);
    expect(mails[0]?.text).toContain('1 new: needs you · Contradicted by the gateway');
    expect(mails[0]?.text).toContain(`${first} · BRL 129.90 · amount_differs`);
    expect(mails[0]?.text).toContain(`${relay.url}/console/demo/orders/${first}`);
    const second = await wrong();
    await until('the second mail', () => mails.length === 2);
    expect(mails[1]?.text).toContain(second);
    expect(mails[1]?.text).not.toContain(`- ${first}`);
    expect(mails[1]?.text).toContain('2 in all');
  });

  it('posts a signed event for each account', async () => {
    const { alert, wrong } = await setUp();
    const orderNo = await wrong();
    const receiver = await startReceiver();
    const recipient = { id: 'chat', url: receiver.url, secrets: [webhookSecret] };
    alert({ recipients: [recipient, { ...recipient, id: 'other', kinds: ['paid_twice'] }] });
    const { data } = await receiver.one('alert.raised');
    expect(data).toMatchObject({
      account: 'demo',
      groups: [{ kind: 'order_contradicted', count: 1, cases: [{ order_no: orderNo, why: 'amount_differs' }] }],
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('sends a digest once in an hour', async () => {
    const { alert, wrong, relay } = await setUp();
    const { mails, smtp } = await startMailServer();
    // Not close to a full hour.
    relay.pass(HOUR_MS - ((Date.now() + HOUR_MS / 2) % HOUR_MS));
    const first = await wrong();
    const of = (address: string) => mails.filter(({ to }) => to.includes(address));
    alert({
      smtp,
      recipients: [
        { id: 'hourly', email: 'team@shop.example', every: 'hour', language: 'pt-BR' },
        { id: 'at-once', email: 'ops@shop.example' },
      ],
    });
    await until('the first digest', () => of('team@shop.example').length === 1);
    const [digest] = of('team@shop.example');
    expect(digest?.text).toContain(first);
    expect(digest?.text).toContain('Em contradição com o gateway');
    const second = await wrong();
    await until('the alert at once', () => of('ops@shop.example').length === 2);
    expect(of('team@shop.example')).toHaveLength(1);
    relay.pass(HOUR_MS);
    await until('the second digest', () => of('team@shop.example').length === 2);
    expect(of('team@shop.example')[1]?.text).toContain(second);
  });

  it('summarises the previous day', async () => {
    const { alert, relay, wrong } = await setUp();
    const { mails, smtp } = await startMailServer();
    await wrong();
    const recipients = [{ id: 'daily', email: 'boss@shop.example', every: 'day', summary: true, accounts: ['demo'] }];
    alert({ smtp, recipients });
    await until('the alert', () => mails.length === 1);
    relay.pass(24 * HOUR_MS);
    await until('the summary', () => mails.length === 2);
    const [, summary] = mails;
    expect(summary?.text).toMatch(/Summary of \d{4}-\d\d-\d\d \(UTC\)/);
    expect(summary?.text).toContain('Attempts to pay: ');
    expect(summary?.text).toContain('- Contradicted by the gateway: 1');
  });

  it('mails a case once while its summary fails, without delaying others', async () => {
    const { alert, wrong, relay, metric } = await setUp();
    const { mails, smtp } = await startMailServer();
    const first = { id: 'first', email: 'first@shop.example', summary: true };
    const alerting = alert({ smtp, recipients: [first] });
    await until(
      'the first look',
      async () => (await metric('sent')) === 0 && (await relay.get('/health/ready')).status !== 0,
    );
    await alerting.stop();
    const orderNo = await wrong();
    relay.pass(25 * HOUR_MS);
    relay.context.store.stats.get = () => Promise.reject(new StoreError('test'));
    alert({ smtp, recipients: [first, { id: 'second', email: 'second@shop.example' }] });
    await until('the second recipient', () => mails.some(({ to }) => to.includes('second@shop.example')));
    relay.pass(61_000);
    await until('another try', async () => (await metric('failed')) >= 2);
    const own = mails.filter(({ to, text }) => to.includes('first@shop.example') && text.includes(orderNo));
    expect(own).toHaveLength(1);
  });

  it('tries again after a failure and logs only its code', async () => {
    const { alert, wrong, relay, metric } = await setUp();
    const { mails, state, smtp } = await startMailServer();
    const orderNo = await wrong();
    state.refuse = true;
    alert({ smtp, recipients: [{ id: 'ops', email: 'ops@shop.example' }] });
    await until('a failure', async () => (await metric('failed')) === 1);
    const line = relay.logLines.find((one) => one.includes('alert not sent'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ recipient: 'ops', code: 'smtp_550' });
    expect(relay.logLines.join()).not.toContain('ops@shop.example');
    state.refuse = false;
    relay.pass(61_000);
    await until('the mail', () => mails.length === 1);
    expect(mails[0]?.text).toContain(orderNo);
    expect(await metric('sent')).toBe(1);
  });
});

it('the settings and the event in docs/alert-messages.md are valid', async () => {
  const [settings, event] = blocksOf('docs/alert-messages.md').map(({ code }) => JSON.parse(code));
  const env = { SMTP_PASSWORD: 'p', CHAT_SECRET: webhookSecret };
  expect(checkConfig({ ...minimal, ...settings }, env).alerts.recipients).toHaveLength(3);
  const { groups } = z.strictObject({ account: z.string(), groups: attention.shape.groups }).parse(event.data);
  expect(groups[0]?.cases[0]).toEqual(
    attention.shape.groups.element.shape.cases.element.strict().parse(groups[0]?.cases[0]),
  );
});

const minimal = {
  public_url: 'http://127.0.0.1:1',
  gateway: { base_url: 'http://127.0.0.1' },
  accounts: ['demo', 'other'].map((id, at) => ({
    ...{ id, merchant_id: String(at), account_id: '2', signing_secret: 's', allowed_origins: ['http://a.example'] },
    api_keys: [{ name: 'a', sha256: String(at).repeat(64), scopes: ['*'] }],
  })),
};
