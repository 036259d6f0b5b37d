import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { approval, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { account, apiKey, card, order } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const root = join(import.meta.dirname, '../../..');

/** Runs `npm run relay` like an operator, with a config file and a secret in the environment. */
function npmRunRelay(config: object, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const path = join(folder, 'relay.json');
  writeFileSync(path, JSON.stringify({ store: `sqlite:${join(folder, 'turnpike.db')}`, ...config }));
  const child = spawn('npm', ['run', '--silent', 'relay'], {
    cwd: root,
    detached: true,
    // An operator's environment: with NODE_ENV=test the browser parts are built differently.
    env: {
      ...process.env,
      NODE_ENV: undefined,
      TURNPIKE_CONFIG: path,
      SECRET_OF_THIS_TEST: account.signingSecret,
      ...env,
    },
  });
  onTestFinished(() => {
    // The whole process group: npm, its shell and the relay.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    output.out += data;
  });
  child.stderr.on('data', (data) => {
    output.err += data;
  });
  const exited = once(child, 'close').then(([code]) => code);
  const listening = async (): Promise<string> => {
    await until('the relay listens', () => /relay listening/.test(output.out));
    return /"url":"([^"]+)"/.exec(output.out)?.[1] ?? '';
  };
  return { child, folder, output, exited, listening };
}

function config(gatewayUrl: string): Record<string, unknown> {
  return {
    listen: { port: 0 },
    public_url: 'http://127.0.0.1:0',
    gateway: { base_url: gatewayUrl },
    accounts: [
      {
        id: 'demo',
        merchant_id: account.merchant_id,
        account_id: account.account_id,
        signing_secret: { env: 'SECRET_OF_THIS_TEST' },
        allowed_origins: ['http://127.0.0.1:8082'],
        api_keys: [{ name: 'server', sha256: sha256(apiKey), scopes: ['*'] }],
      },
    ],
  };
}

/** Makes every sync of the relay fail once the file BROKEN_DISK exists. */
const FAILING_SYNCS = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { fdatasync } = fs;
const broken = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
fs.fdatasync = (file, done) =>
  fs.existsSync(process.env.BROKEN_DISK) ? setImmediate(done, broken) : fdatasync(file, done);
syncBuiltinESMExports();
`;

describe('npm run relay', () => {
  it('takes payments, keeps them private, and finishes open ones at SIGTERM', async () => {
    let answer = (): void => undefined;
    const gateway = await scriptedGateway((received, res) => {
      answer = () => sendXml(res, signedXml(approval(received)));
    });
    const relay = npmRunRelay(config(gateway.url));
    const url = await relay.listening();
    const post = (path: string, bearer: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.json());
    const session = await post('/v1/sessions', apiKey, { order: order() });
    const paying = post('/checkout/api/pay', session.client_secret, card);
    await until('the gateway has the payment', () => gateway.authorised().length === 1);
    relay.child.kill('SIGTERM');
    await until('the relay stops', () => /relay stopping/.test(relay.output.out));
    answer();
    expect(await paying).toMatchObject({ status: 'approved' });
    await relay.exited;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(statSync(join(relay.folder, 'turnpike.db')).mode & 0o077).toBe(0);
    expect(relay.output.out + relay.output.err).not.toContain(card.card);
  });

  it('stops when a sync of its store fails, and restarts', async () => {
    const gateway = await scriptedGateway((received, res) => sendXml(res, signedXml(approval(received))));
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const [preload, broken] = [join(folder, 'preload.mjs'), join(folder, 'broken')];
    writeFileSync(preload, FAILING_SYNCS);
    const settings = { ...config(gateway.url), store: `sqlite:${join(folder, 'turnpike.db')}` };
    const relay = npmRunRelay(settings, { NODE_OPTIONS: `--import=${preload}`, BROKEN_DISK: broken });
    const pay = async (url: string, order_no: string) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ ...order(), order_no, ...card });
      return (await fetch(`${url}/v1/payments`, { method: 'POST', headers, body })).json();
    };
    const url = await relay.listening();
    expect(await pay(url, 'A')).toMatchObject({ status: 'approved' });
    writeFileSync(broken, '');
    await expect(pay(url, 'B')).rejects.toThrow();
    expect(await relay.exited).toBe(1);
    const errors = relay.output.out.split('\n').filter((line) => line.includes('disk of the store failed'));
    expect(errors).toEqual([expect.stringMatching(/"level":"error".*"code":"EIO"/)]);
    expect(gateway.authorised()).toHaveLength(1);

    const again = await npmRunRelay(settings).listening();
    expect(await pay(again, 'A')).toMatchObject({ code: 'order_already_paid' });
  });

  it('lists every error in its configuration, and stops', async () => {
    const relay = npmRunRelay({
      public_url: 'nonsense',
      gateway: { base_url: 'http://gateway.example' },
      colour: 'red',
    });
    expect(await relay.exited).toBe(1);
    const { problems, ...line } = JSON.parse(relay.output.err);
    expect(line).toMatchObject({ level: 'fatal', class: 'config', code: 'config_invalid', exit_code: 1 });
    for (const path of ['public_url', 'gateway.base_url', 'gateway.profile.codes', 'colour', 'accounts']) {
      expect(problems).toContainEqual(expect.stringMatching(`^${path}: `));
    }
  });

  it('reports an occupied port in one line, and stops', async () => {
    const other = await serve(() => undefined);
    onTestFinished(other.close);
    const relay = npmRunRelay(config('http://127.0.0.1:9'), { PORT_RELAY: String(other.port) });
    expect(await relay.exited).toBe(5);
    expect(JSON.parse(relay.output.err)).toMatchObject({
      ...{ level: 'fatal', class: 'port', code: 'EADDRINUSE', exit_code: 5 },
      msg: `Port ${other.port} (relay) is taken. Set PORT_RELAY to another port, or stop what uses it.`,
    });
  });
});
