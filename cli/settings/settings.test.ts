import { scryptSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../relay/base/keys.ts';
import { checkConfig } from '../../relay/config/load.ts';
import { webhookKey } from '../../shared/webhooks/signing.ts';
import { cli, jsonLines } from '../../test/support/operators/cli.ts';
import { testConfig } from '../../test/support/relays/relay.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-settings-'));

function fileOf(settings: unknown): string {
  const file = join(folder, 'relay.json');
  writeFileSync(file, typeof settings === 'string' ? settings : JSON.stringify(settings));
  return file;
}

const right = testConfig({ gatewayUrl: 'http://127.0.0.1:9', folder });

describe('turnpike config check', () => {
  it('says what it understood, and no secret', async () => {
    const store = 'postgres://turnpike:pa55word@db.example/turnpike';
    const { code, out } = await cli(['--json', 'config', 'check', fileOf({ ...right, store })]);
    expect({ code, lines: jsonLines(out) }).toMatchObject({
      code: 0,
      lines: [{ store: 'postgres://db.example/turnpike', accounts: [{ id: 'demo' }, { id: 'other' }] }],
    });
    expect(out).not.toMatch(/pa55word|k3y-for-tests|another secret/);
    writeFileSync(join(folder, 'store'), store);
    const headers = { 'X-Key': { env: 'GATEWAY_KEY' } };
    const ofFiles = { ...right, store: { file: 'store' }, gateway: { base_url: 'http://127.0.0.1:9', headers } };
    const env = { CREDENTIALS_DIRECTORY: folder, GATEWAY_KEY: 'k3y-of-the-gateway' };
    const checked = await cli(['config', 'check', fileOf(ofFiles)], { env });
    expect(checked.out).toMatch(/^store +postgres:\/\/db\.example\/turnpike$/m);
    expect(checked.out).toMatch(/^headers +X-Key$/m);
    expect(checked.out).not.toMatch(/pa55word|k3y-of-the-gateway/);
    expect((await cli(['config', 'check', fileOf(right)])).out).toContain('account demo');
    const ofPaused = await cli(['config', 'check', fileOf({ ...right, paused: true })]);
    expect(ofPaused.out).toMatch(/^paused +yes/m);
  });

  it('lists every problem with its path, and ends with 2', async () => {
    const wrong = {
      ...right,
      public_url: 'nowhere',
      retention_days: 0,
      accounts: [{ id: 'demo', merchant_id: '1', account_id: '2', signing_secret: { env: 'NOT_SET' }, colour: 'red' }],
    };
    const { code, out, err } = await cli(['--json', 'config', 'check', fileOf(wrong)]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const paths = ['public_url', 'retention_days', 'accounts.0.colour', 'accounts.0.signing_secret'];
    expect(jsonLines(err)).toMatchObject([
      {
        error: {
          code: 'config_invalid',
          errors: expect.arrayContaining(paths.map((path) => ({ path, message: expect.any(String) }))),
        },
      },
    ]);
  });

  it.each([
    ['not JSON', '{ "secret": "s3cret'],
    ['an empty object', {}],
  ])('ends with 2 for %s', async (_what, settings) => {
    const { code, err } = await cli(['config', 'check', fileOf(settings)]);
    expect(code).toBe(2);
    expect(err).not.toContain('s3cret');
  });
});

const madeKey = z.object({
  key: z.string(),
  entry: z.object({ name: z.string(), sha256: z.string(), scopes: z.array(z.string()) }),
});
const madePerson = z.object({
  password: z.string(),
  entry: z.object({
    name: z.string(),
    password: z.string(),
    scopes: z.array(z.string()),
    accounts: z.array(z.string()),
  }),
});

describe('turnpike key, secret and person new', () => {
  it('makes keys whose entry the relay takes, each another', async () => {
    const args = ['--json', 'key', 'new', '--name', 'support', '--scopes', 'query, refund'];
    const [one, other] = [await cli(args), await cli(args)].map(({ out }) => madeKey.parse(jsonLines(out)[0]));
    expect(one?.key).not.toBe(other?.key);
    expect(one?.entry).toEqual({ name: 'support', sha256: sha256(one?.key ?? ''), scopes: ['query', 'refund'] });
    const accounts = z.array(z.record(z.string(), z.unknown())).parse(right.accounts);
    const config = checkConfig({ ...right, accounts: [{ ...accounts[0], api_keys: [one?.entry] }] }, {});
    expect(config.accounts[0]?.api_keys).toEqual([one?.entry]);
  });

  it('gives a key no refund or payout scope unless asked by name', async () => {
    const { out } = await cli(['--json', 'key', 'new']);
    expect(madeKey.parse(jsonLines(out)[0]).entry.scopes).toEqual(['sessions', 'payments', 'query', 'events']);
  });

  it('makes webhook secrets that the relay takes', async () => {
    const { out, err } = await cli(['secret', 'new']);
    expect(webhookKey(out.replace('secret', '').trim())).toHaveLength(32);
    expect(err).not.toContain('whsec_');
  });

  it('makes a person whose password fits the hash', async () => {
    const { out } = await cli(['--json', 'person', 'new', '--name', 'Ada', '--accounts', 'demo']);
    const { password, entry } = madePerson.parse(jsonLines(out)[0]);
    expect(entry).toMatchObject({ name: 'Ada', scopes: ['console'], accounts: ['demo'] });
    const [, ln, salt = '', hash = ''] = /^\$scrypt\$ln=(\d+),r=8,p=3\$([^$]+)\$([^$]+)$/.exec(entry.password) ?? [];
    const N = 2 ** Number(ln);
    const computed = scryptSync(password, Buffer.from(salt, 'base64'), 32, { N, r: 8, p: 3, maxmem: 256 * N * 8 });
    expect(computed).toEqual(Buffer.from(hash, 'base64'));
    const config = checkConfig({ ...right, console: { people: [entry] } }, {});
    expect(config.console.people).toEqual([entry]);
  });

  it.each([
    [['key', 'new', '--scopes', 'everything'], /--scopes: must be some of/],
    [['key', 'new', '--scopes', ','], /--scopes: must name one/],
    [['person', 'new', '--name', 'Ada'], /--accounts: must be given/],
    [['person', 'new', '--accounts', 'demo'], /--name: must be given/],
  ])('ends with 2 for wrong usage: %j', async (args, says) => {
    const { code, out, err } = await cli(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });
});
