import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../base/errors.ts';
import { deriveKeys } from '../base/keys.ts';
import { groupsWithoutCodes } from '../gateway/profile.ts';
import { isSubscribed } from './endpoints.ts';
import { checkConfig, loadConfig } from './load.ts';
import { configFile } from './schema.ts';

const account = {
  id: 'demo',
  merchant_id: '100001',
  account_id: '200001',
  signing_secret: 'plain',
  allowed_origins: ['http://127.0.0.1:8082'],
  api_keys: [{ name: 'server', sha256: 'a'.repeat(64), scopes: ['*'] }],
};
const least = {
  public_url: 'http://127.0.0.1:8080',
  gateway: { base_url: 'http://127.0.0.1:8081' },
  accounts: [account],
};

function problemsOf(input: unknown, env: Record<string, string> = {}): readonly string[] {
  try {
    checkConfig(input, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

/** The paths of all values in a JSON value. */
function pathsIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [[name], ...pathsIn(one).map((path) => [name, ...path])]);
}

/** A copy of a JSON value with another value at a path. */
function changedAt(whole: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  if (typeof whole !== 'object' || whole === null) return value;
  const one = Object.entries(whole).find(([key]) => key === name)?.[1];
  const changed = rest.length === 0 ? value : changedAt(one, rest, value);
  return Array.isArray(whole) ? whole.with(Number(name), changed) : { ...whole, [name]: changed };
}

describe('the relay’s configuration', () => {
  it('needs public_url, gateway.base_url and accounts, and has defaults for the rest', () => {
    expect(checkConfig(least, {})).toMatchObject({
      listen: { host: '127.0.0.1', port: 8080 },
      trust_proxy: [],
      store: 'sqlite:./data/turnpike.db',
      gateway: { timeout_ms: 30_000, headers: {}, profile: { service_field: 'service', list_separator: ',' } },
      issuer: {
        follow: 'last',
        allow_hosts: ['*'],
        allow_schemes: [],
        allow_private: false,
        max_hops: 5,
        timeout_ms: 10_000,
      },
      webhooks: { allow_private: false },
      limits: {
        attempts_per_session: 5,
        attempts_per_ip_per_hour: 30,
        attempts_per_card_per_hour: 10,
        attempts_per_account_per_minute: 600,
      },
      resolve: {
        ...{ first_ms: 1000, max_ms: 60_000, absent_ms: 900_000, give_up_ms: 86_400_000 },
        ...{ return_ms: 60_000, confirm_ms: 10_000, paid_days: [1, 7, 30], search_ms: 5000 },
      },
      retention_days: 400,
      accounts: [{ name: 'demo', return_urls: [], signingSecret: 'plain' }],
    });
  });

  it('gives codes no default meaning for a gateway outside loopback', () => {
    const profile = { signing: { scheme: 'canonical' }, codes: { refund_status: { success: ['7'] } } };
    const gateway = { base_url: 'https://gateway.example', profile };
    const { codes } = checkConfig({ ...least, gateway }, {}).gateway.profile;
    expect(codes.refund_status).toEqual({ success: ['7'], failed: [] });
    const needed = Object.keys(codes).filter(
      (group) => !['query_result', 'review_flag', 'fraud_check'].includes(group),
    );
    expect(groupsWithoutCodes(codes)).toEqual(needed.filter((group) => group !== 'refund_status'));
    const here = checkConfig({ ...least, gateway: { ...gateway, base_url: 'http://127.0.0.1:8081' } }, {});
    expect(groupsWithoutCodes(here.gateway.profile.codes)).toEqual([]);
  });

  it('refuses impossible times and reserved headers, and says why', () => {
    const gateway = { base_url: 'http://127.0.0.1:1', timeout_ms: 3e9, headers: { 'Content-Type': 'x' } };
    expect(problemsOf({ ...least, gateway, resolve: { first_ms: 9e15 } })).toEqual([
      'gateway.timeout_ms: must be ten minutes (600000) at the most',
      'gateway.headers: the header Content-Type is the relay’s own to set',
      'resolve.first_ms: must be a year (31536000000) at the most',
    ]);
  });

  it('does not quote a secret that stands where a header’s name belongs', () => {
    const gateway = { base_url: 'http://127.0.0.1:1', headers: { 'Bearer s3cret': 'authorization' } };
    expect(problemsOf({ ...least, gateway })).toEqual(['gateway.headers: must be a header name']);
  });

  it('accepts schemes of apps, and refuses schemes that browsers interpret', () => {
    const withSchemes = (...allow_schemes: string[]): object => ({ ...least, issuer: { allow_schemes } });
    const read = checkConfig(withSchemes('bankapp', 'Bank-App2:', 'other.bank://'), {});
    expect(read.issuer.allow_schemes).toEqual(['bankapp', 'bank-app2', 'other.bank']);
    for (const scheme of ['javascript', 'JavaScript:', 'data', 'file', 'blob', 'https', 'http', 'about', 'vbscript']) {
      expect(problemsOf(withSchemes(scheme)), scheme).toEqual(['issuer.allow_schemes.0: is no scheme of an app']);
    }
    for (const scheme of ['', 'bank app', '1bank', 'bankapp://pay', '*']) {
      expect(problemsOf(withSchemes(scheme)), scheme).toContain(
        'issuer.allow_schemes.0: must be a scheme such as bankapp',
      );
    }
  });

  it('takes no allowed origin that would change a policy', () => {
    const withOrigin = (origin: string): object => ({
      ...least,
      accounts: [{ ...account, allowed_origins: [origin] }],
    });
    for (const origin of [
      "https://shop'.example",
      'https://shop;script-src.example',
      'https://a,b',
      'https://*.example',
    ]) {
      expect(problemsOf(withOrigin(origin)), origin).toEqual([
        'accounts.0.allowed_origins.0: must be an origin such as https://shop.example, without a path',
      ]);
    }
    for (const origin of [
      'https://shop.example',
      'http://127.0.0.1:8082',
      'https://[2001:db8::7]:8443',
      'https://a_b.c-d.example',
    ])
      expect(problemsOf(withOrigin(origin)), origin).toEqual([]);
  });

  it('refuses limits and a retention that are too large', () => {
    const limits = { attempts_per_session: 1e9, attempts_per_account_per_minute: 1e9 + 1 };
    expect(problemsOf({ ...least, limits, retention_days: 36_501 })).toEqual([
      'limits.attempts_per_account_per_minute: must be a billion (1000000000) at the most',
      'retention_days: must be a hundred years (36500) at the most',
    ]);
  });

  it('says in its own words what is wrong with any setting', () => {
    const whole = configFile.parse(least);
    const messages = pathsIn(whole).flatMap((path) =>
      [undefined, null, 7.5, -1, 1e13, '', 'x', true, [], [7], {}, { x: 1 }].flatMap((value) =>
        problemsOf(changedAt(whole, path, value)),
      ),
    );
    expect(messages.length).toBeGreaterThan(1000);
    expect(messages.filter((message) => /Invalid|Too (big|small)|expected|Unrecognized/i.test(message))).toEqual([]);
    expect(messages).toContain('public_url: is missing');
    expect(problemsOf({ ...least, trust_proxi: [] })).toEqual([
      'trust_proxi: there is no such setting; did you mean trust_proxy?',
    ]);
  });

  it('lists every problem with its path', () => {
    const problems = problemsOf(
      {
        public_url: 'ftp://x',
        listen: { port: 70_000 },
        trust_proxi: [],
        trust_proxy: ['10.0.0.0/8', 'nonsense'],
        gateway: { base_url: 'http://127.0.0.1:1', profile: { list_seperator: ';' } },
        accounts: [
          {
            ...account,
            signing_secret: { env: 'NOT_SET' },
            api_keys: [{ name: 'k', sha256: 'short', scopes: ['everything'] }],
          },
        ],
      },
      { PORT_RELAY: 'eighty' },
    );
    const paths = problems.map((problem) => problem.split(':')[0]);
    expect(paths).toEqual(
      expect.arrayContaining([
        'public_url',
        'listen.port',
        'trust_proxi',
        'trust_proxy.1',
        'gateway.profile.list_seperator',
        'PORT_RELAY',
        'accounts.0.signing_secret',
        'accounts.0.api_keys.0.sha256',
        'accounts.0.api_keys.0.scopes.0',
      ]),
    );
  });

  it('requires https and an explicit profile outside loopback', () => {
    const problems = problemsOf({ ...least, gateway: { base_url: 'http://gateway.example' } });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'gateway.base_url',
      'gateway.profile.signing',
      'gateway.profile.codes',
    ]);
    const profile = { signing: { scheme: 'canonical' }, codes: {} };
    expect(problemsOf({ ...least, gateway: { base_url: 'https://gateway.example', profile } })).toEqual([]);
  });

  it('reads secrets from environment and files, and names missing ones', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'secret');
    writeFileSync(file, 'from-file\n');
    const withSecret = (signing_secret: unknown): unknown => ({ ...least, accounts: [{ ...account, signing_secret }] });
    expect(checkConfig(withSecret({ env: 'S' }), { S: 'from-env' }).accounts[0]?.signingSecret).toBe('from-env');
    expect(checkConfig(withSecret({ file }), {}).accounts[0]?.signingSecret).toBe('from-file');
    expect(problemsOf(withSecret({ env: 'S' }))).toEqual([
      'accounts.0.signing_secret: the environment variable S is not set',
    ]);
    expect(problemsOf(withSecret({ file: '/nowhere' }))[0]).toMatch(
      /^accounts\.0\.signing_secret: cannot read the file/,
    );
  });

  it('reads the store and the gateway’s headers as it reads secrets', () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    writeFileSync(join(folder, 'store'), 'postgres://relay:pa55word@db/turnpike\n');
    writeFileSync(join(folder, 'key'), 'k3y\n');
    const input = {
      ...least,
      store: { file: 'store' },
      gateway: { ...least.gateway, headers: { 'x-key': { file: 'key' }, 'x-version': '7' } },
      accounts: [{ ...account, gateway: { headers: { 'x-key': { env: 'KEY' } } } }],
    };
    const config = checkConfig(input, { CREDENTIALS_DIRECTORY: folder, KEY: 'own' });
    expect(config.store).toBe('postgres://relay:pa55word@db/turnpike');
    expect(config.gateway.headers).toEqual({ 'x-key': 'k3y', 'x-version': '7' });
    expect(config.accounts[0]?.gateway.headers).toEqual({ 'x-key': 'own' });
    expect(problemsOf(input, { CREDENTIALS_DIRECTORY: '/nowhere' })).toEqual([
      'gateway.headers.x-key: cannot read the file /nowhere/key (ENOENT)',
      'store: cannot read the file /nowhere/store (ENOENT)',
      'accounts.0.gateway.headers.x-key: the environment variable KEY is not set',
    ]);
  });

  it('reads every secret of a file from the directory of credentials', () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    writeFileSync(join(folder, 'signing'), 'from-credentials\n');
    const input = (file: string): unknown => ({ ...least, accounts: [{ ...account, signing_secret: { file } }] });
    const read = (file: string): string | undefined =>
      checkConfig(input(file), { CREDENTIALS_DIRECTORY: folder }).accounts[0]?.signingSecret;
    expect(read('signing')).toBe('from-credentials');
    expect(read(join(folder, 'signing'))).toBe('from-credentials');
  });

  it('shows nothing of a store or header that is wrong', () => {
    const env = { STORE: 'mysql://relay:pa55word@db', KEY: 'k3y\nb' };
    const gateway = { ...least.gateway, headers: { 'x-key': { env: 'KEY' }, 'x-other': { env: 'KEY', file: 'k3y' } } };
    expect(problemsOf({ ...least, store: { env: 'STORE' }, gateway }, env)).toEqual([
      'store: must be sqlite:PATH, sqlite::memory: or postgres://…',
      'gateway.headers.x-key: must be a header value on one line',
      'gateway.headers.x-other: must be a text, { "env": NAME } or { "file": PATH }',
    ]);
  });

  it('reads at most two previous signing secrets, and names missing ones', () => {
    const withSecrets = (...previous_signing_secrets: unknown[]): unknown => ({
      ...least,
      accounts: [{ ...account, previous_signing_secrets }],
    });
    expect(checkConfig(least, {}).accounts[0]?.previousKeys).toEqual([]);
    const read = checkConfig(withSecrets({ env: 'S' }, 'older'), { S: 'old' });
    expect(read.accounts[0]?.previousKeys).toEqual([deriveKeys('old'), deriveKeys('older')]);
    expect(problemsOf(withSecrets('a', { env: 'S' }))).toEqual([
      'accounts.0.previous_signing_secrets.1: the environment variable S is not set',
    ]);
    expect(problemsOf(withSecrets('a', 'b', 'c'))[0]).toMatch(/^accounts\.0\.previous_signing_secrets: /);
  });

  it('reads several endpoints of an account, each with its types of events', () => {
    const good = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const url = 'https://shop.example/hooks';
    const withSettings = (settings: object): unknown => ({ ...least, accounts: [{ ...account, ...settings }] });
    const all = { id: 'all', url, secrets: [{ env: 'S' }] };
    const some = { id: 'some', url, secrets: [good], events: ['session.approved', 'operation.*'] };
    const [read] = checkConfig(withSettings({ webhooks: [all, some] }), { S: good }).accounts;
    expect(read?.webhooks).toEqual([{ ...all, secrets: [good] }, some]);
    expect(read?.webhooks.map((one) => isSubscribed(one, 'operation.completed'))).toEqual([true, true]);
    expect(read?.webhooks.map((one) => isSubscribed(one, 'session.failed'))).toEqual([true, false]);
    const [single] = checkConfig(
      withSettings({ webhook: { url, secrets: [good], events: ['payout.*'] } }),
      {},
    ).accounts;
    expect(single?.webhooks).toEqual([{ id: 'default', url, secrets: [good], events: ['payout.*'] }]);
    expect(problemsOf(withSettings({ webhook: { url, secrets: [good] }, webhooks: [some] }))).toEqual([
      'accounts.0.webhook: give webhook or webhooks, not both',
    ]);
    expect(problemsOf(withSettings({ webhooks: [some, { ...some, secrets: ['hunter2'] }] }))).toEqual([
      'accounts.0.webhooks.1.id: two endpoints are called some',
      'accounts.0.webhooks.1.secrets.0: must be whsec_ and the base64 of 24 to 64 random bytes',
    ]);
    for (const name of ['session.paid', 'session*', 'paid.*', '*']) {
      expect(problemsOf(withSettings({ webhooks: [{ ...some, events: [name] }] }))).toEqual([
        'accounts.0.webhooks.0.events.0: must be a type of event, or a prefix such as operation.*',
      ]);
    }
  });

  it('reads one or two webhook secrets, and refuses others without showing them', () => {
    const good = `whsec_${Buffer.alloc(24).toString('base64')}`;
    const withSecrets = (...secrets: unknown[]): unknown => ({
      ...least,
      accounts: [{ ...account, webhook: { url: 'https://shop.example/hooks', secrets } }],
    });
    expect(checkConfig(withSecrets({ env: 'S' }, good), { S: good }).accounts[0]?.webhooks).toEqual([
      { id: 'default', url: 'https://shop.example/hooks', secrets: [good, good] },
    ]);
    expect(checkConfig(least, {}).accounts[0]?.webhooks).toEqual([]);
    expect(problemsOf(withSecrets(good, { env: 'S' }), { S: 'whsec_hunter2' })).toEqual([
      'accounts.0.webhook.secrets.1: must be whsec_ and the base64 of 24 to 64 random bytes',
    ]);
    expect(problemsOf(withSecrets())).toHaveLength(1);
    expect(problemsOf(withSecrets(good, good, good))).toHaveLength(1);
  });

  it('takes the console’s port from PORT_CONSOLE where it has one', () => {
    const console = { listen: { host: '10.0.0.5', port: 8090 } };
    expect(checkConfig({ ...least, console }, { PORT_CONSOLE: '8091' }).console.listen).toEqual({
      host: '10.0.0.5',
      port: 8091,
    });
    expect(checkConfig(least, { PORT_CONSOLE: '8091' }).console.listen).toBeUndefined();
    const same = { PORT_RELAY: '8102', PORT_CONSOLE: '8102' };
    const own = { listen: { host: '127.0.0.1', port: 8090 } };
    expect(problemsOf({ ...least, console: own }, same)).toEqual([expect.stringMatching(/^console\.listen: /)]);
    expect(problemsOf(least, { PORT_CONSOLE: '65536' })).toEqual(['PORT_CONSOLE: must be a port, 0 to 65535']);
  });

  it('takes the port from PORT_RELAY, 0 too', () => {
    expect(checkConfig(least, { PORT_RELAY: '0' }).listen.port).toBe(0);
    expect(problemsOf(least, { PORT_RELAY: 'eighty' })).toEqual(['PORT_RELAY: must be a port, 0 to 65535']);
  });

  it('refuses two accounts with one id and a repeated key', () => {
    const accounts = [account, account];
    expect(problemsOf({ ...least, accounts })).toHaveLength(3);
    // Whatever else is wrong.
    expect(problemsOf({ ...least, public_url: 'no address', accounts: [...accounts, null] })).toHaveLength(5);
  });

  it('refuses invalid and reserved headers, and a service field that clashes', () => {
    const withGateway = (more: object): readonly string[] =>
      problemsOf({ ...least, gateway: { ...least.gateway, ...more } });
    expect(withGateway({ headers: { 'x-merchant': 'm', authorization: 'Basic x' } })).toEqual([]);
    expect(withGateway({ headers: { 'x-a': 'one\ntwo' } })).toHaveLength(1);
    expect(withGateway({ headers: { 'Content-Type': 'text/plain' } })).toHaveLength(1);
    expect(withGateway({ headers: { Expect: '100-continue' } })).toHaveLength(1);
    expect(withGateway({ profile: { service_field: 'amount' } })).toHaveLength(1);
  });

  it('resolves a signing module relative to the config file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const gateway = { ...least.gateway, profile: { signing: { scheme: 'module', path: './signer.ts' } } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...least, gateway }));
    expect(loadConfig(join(folder, 'config.json'), {}).gateway.profile.signing).toEqual({
      scheme: 'module',
      path: join(folder, 'signer.ts'),
    });
  });

  it('never quotes the file in what it says about broken JSON', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'config.json');
    writeFileSync(file, '{ "signing_secret": "hunter2" ');
    expect(() => loadConfig(file, {})).toThrow(ConfigError);
    expect(() => loadConfig(file, {})).not.toThrow(/hunter2/);
    expect(() => loadConfig('/nowhere.json', {})).toThrow(/cannot read/);
  });
});
