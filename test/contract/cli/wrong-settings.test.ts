import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { concatSignature } from '../../../relay/gateway/signing/concat.ts';
import type { ConcatScheme } from '../../../relay/gateway/signing/signing-setting.ts';
import { type Dialect, dialectGateway } from '../../support/gateways/dialect-gateway.ts';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { account, apiKey, card, startTestRelay, testConfig } from '../../support/relays/relay.ts';

const finding = z.object({
  check: z.string(),
  status: z.string(),
  says: z.string(),
  setting: z.string().optional(),
  works: z.unknown().optional(),
});

/** The findings that are not OK. Checks that the output contains no secret. */
async function trouble(args: readonly string[], env: Record<string, string> = {}) {
  const { code, out, err } = await cli(['--json', 'doctor', ...args], { env });
  expect(out + err).not.toContain(account.signingSecret);
  const findings = z.array(finding).parse(jsonLines(out));
  return { code, findings: findings.filter(({ status }) => status === 'wrong' || status === 'unknown') };
}

type Case = {
  wrong: string;
  dialect: Dialect;
  profile?: Record<string, unknown>;
  own?: Record<string, unknown>;
  /** The gateway's address in the settings, if wrong. */
  url?: (url: string) => string;
  found: object[];
};

const file: ConcatScheme = {
  scheme: 'concat',
  algorithm: 'sha256',
  fields: { query: ['merchant_id', 'account_id', 'orders'], cancel: ['merchant_id', 'account_id'] },
  answer_fields: {},
  separator: '',
  secret: 'append',
  output: 'hex',
};
const concat = { signing: file, verify: { query: 'off', cancel: 'off' } };
const signing = (part: string, works: unknown) => ({ setting: `gateway.profile.signing.${part}`, works });
const signed: ConcatScheme = { ...file, answer_fields: { query: ['account_id', 'return_status'] } };

const cases: Case[] = [
  {
    wrong: 'separator of signed parts',
    dialect: { signing: { ...file, separator: '|' } },
    profile: concat,
    found: [signing('separator', '|')],
  },
  {
    wrong: 'place of the secret',
    dialect: { signing: { ...file, secret: 'prepend' } },
    profile: concat,
    found: [signing('secret', 'prepend')],
  },
  {
    wrong: 'output HEX',
    dialect: { signing: { ...file, output: 'HEX' } },
    profile: concat,
    found: [signing('output', 'HEX')],
  },
  {
    wrong: 'HMAC in place of a hash',
    dialect: { signing: { ...file, algorithm: 'hmac-sha256', secret: 'key' } },
    profile: concat,
    found: [signing('algorithm', 'hmac-sha256'), signing('secret', 'key')],
  },
  {
    wrong: 'order of fields',
    dialect: { signing: { ...file, fields: { query: ['account_id', 'merchant_id', 'orders'] } } },
    profile: concat,
    found: [signing('fields.query', ['account_id', 'merchant_id', 'orders'])],
  },
  {
    wrong: 'canonical in place of concat',
    dialect: { signing: { ...file, separator: '|' } },
    found: [signing('scheme', 'concat')],
  },
  {
    wrong: 'concat in place of canonical',
    dialect: {},
    profile: concat,
    found: [signing('scheme', 'canonical')],
  },
  {
    wrong: 'dates of queries',
    dialect: { refusesDates: true },
    found: [{ setting: 'gateway.profile.query_requires', works: [['orders'], ['trades']] }],
  },
  {
    wrong: 'separator of lists',
    dialect: { separator: ';' },
    found: [{ setting: 'gateway.profile.list_separator', works: ';' }],
  },
  {
    wrong: 'code of a query',
    dialect: { codes: { return_status: { '1': '00' } } },
    found: [{ setting: 'gateway.profile.codes.return_status.success', works: ['1', '00'] }],
  },
  {
    wrong: 'content type of JSON',
    dialect: { contentType: 'application/x-www-form-urlencoded' },
    found: [{ setting: 'gateway.profile.json_content_type', works: 'application/x-www-form-urlencoded' }],
  },
  {
    wrong: 'signature of answers',
    dialect: { signing: signed },
    profile: { signing: { ...file, answer_fields: { query: ['return_status'] } }, verify: { cancel: 'off' } },
    found: [signing('answer_fields.query', ['account_id', 'return_status'])],
  },
  {
    wrong: 'merchant_id',
    dialect: {},
    own: { merchant_id: '999999' },
    found: [{ check: 'merchant and account' }],
  },
  {
    wrong: 'account_id',
    dialect: {},
    own: { account_id: '999999' },
    found: [{ check: 'merchant and account' }],
  },
  {
    wrong: 'port',
    dialect: {},
    url: () => 'http://127.0.0.1:1',
    found: [{ check: 'connection', setting: 'gateway.base_url', says: expect.stringContaining('ECONNREFUSED') }],
  },
  {
    wrong: 'https on an http port',
    dialect: {},
    url: (url) => url.replace('http:', 'https:'),
    found: [{ says: expect.stringMatching(/TLS/) }],
  },
  {
    wrong: 'output base64',
    dialect: { signing: { ...file, output: 'base64' } },
    profile: concat,
    found: [signing('output', 'base64')],
  },
  {
    wrong: 'algorithm md5',
    dialect: { signing: { ...file, algorithm: 'md5' } },
    profile: concat,
    found: [signing('algorithm', 'md5')],
  },
  {
    wrong: 'two settings of the signature, where refusals are signed',
    dialect: { signing: { ...signed, secret: 'prepend', separator: '|' }, signsRefusals: true },
    profile: concat,
    found: [signing('separator', '|'), signing('secret', 'prepend')],
  },
  {
    wrong: 'two settings of the signature, where a refusal quotes it',
    dialect: {
      signing: { ...file, secret: 'prepend', separator: '~' },
      refusalText: (message) => {
        const fields = ['merchant_id', 'account_id', 'orders'];
        const form = { ...file, secret: 'prepend', separator: '~' } as const;
        return `, expected ${concatSignature(message, fields, form, account.signingSecret)}`;
      },
    },
    profile: concat,
    found: [signing('separator', '~'), signing('secret', 'prepend')],
  },
  {
    wrong: 'signature and separator of lists at once',
    dialect: { signing: { ...file, separator: '&' }, separator: ';' },
    profile: concat,
    found: [signing('separator', '&'), { setting: 'gateway.profile.list_separator', works: ';' }],
  },
  {
    wrong: 'filters of queries',
    dialect: { wantsDates: true },
    found: [{ setting: 'gateway.profile.query_requires', works: [['query_start', 'query_end']] }],
  },
  {
    wrong: 'filters of queries and output',
    dialect: { wantsDates: true, signing: { ...file, output: 'HEX' } },
    profile: concat,
    found: [{ setting: 'gateway.profile.query_requires' }, signing('output', 'HEX')],
  },
  {
    wrong: 'secret with a newline',
    dialect: {},
    own: { signing_secret: `${account.signingSecret}\n` },
    found: [{ check: 'signing secret', status: 'wrong', says: expect.stringContaining('newline') }],
  },
  {
    wrong: 'secret of another account',
    dialect: { signing: signed, secret: 'another secret', signsRefusals: true },
    profile: concat,
    found: [{ check: 'signing secret', status: 'wrong', says: expect.stringContaining('of the account other') }],
  },
  {
    wrong: 'secret that only the operator knows, which nothing can tell',
    dialect: { secret: 'of another environment' },
    found: [
      { check: 'signature of requests', status: 'wrong' },
      { check: 'signing secret', status: 'unknown', says: expect.stringContaining('another environment') },
    ],
  },
  {
    wrong: 'encoding of answers, which no setting mends',
    dialect: { isLatin1: true },
    found: [{ check: 'encoding of answers', status: 'wrong' }],
  },
];

/** A settings file for this gateway. */
function settingsFile(gatewayUrl: string, { profile = {}, own = {} }: Partial<Case>): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
  const path = join(folder, 'relay.json');
  writeFileSync(path, JSON.stringify(testConfig({ gatewayUrl, profile, folder, account: own })));
  return path;
}

describe('turnpike doctor names what is wrong', () => {
  it.each(cases)('$wrong', async ({ dialect, url = (given) => given, found, ...settings }) => {
    const gateway = await dialectGateway(dialect);
    const { code, findings } = await trouble(['--config', settingsFile(url(gateway.url), settings), '--probe']);
    expect(findings.slice(0, found.length)).toMatchObject(found);
    expect(findings.slice(found.length).filter(({ status }) => status === 'wrong')).toEqual([]);
    expect(code).toBe(1);
    expect(gateway.asked.length).toBeLessThanOrEqual(10);
    const queries = gateway.asked.filter(({ path }) => path === '/v1/retrievalTrans');
    const signatures = queries.map(({ message }) => message.encryption_data);
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it('by paid orders of the relay: time zone, separator and code', async () => {
    const codes = { payment_status: { '3000': '2' } };
    const gateway = await dialectGateway({ hoursAhead: -3, separator: '|', codes });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    for (const order_no of ['Z-1', 'Z-2']) {
      const { secret } = await relay.session({ order: { order_no } });
      expect(await relay.pay(secret, card)).toMatchObject({ body: { status: 'approved' } });
    }
    await expect.poll(async () => (await relay.get('/v1/orders?status=paid', apiKey)).body.orders).toHaveLength(2);
    // The relay reads the record's date when it queries the gateway.
    expect((await relay.post('/v1/orders/Z-1/reconcile', apiKey, {})).status).toBe(200);
    const args = ['--config', settingsFile(gateway.url, {}), '--url', relay.url];
    const { code, findings } = await trouble(args, { TURNPIKE_API_KEY: apiKey });
    expect(code).toBe(1);
    expect(findings.filter(({ status }) => status === 'wrong')).toMatchObject([
      { setting: 'gateway.profile.list_separator', works: '|' },
      { setting: 'gateway.profile.codes.payment_status.approved', works: ['3000', '2'] },
      { setting: 'gateway.profile.gateway_time_zone', works: 'America/Sao_Paulo' },
      { setting: 'gateway.profile.gateway_time_zone', says: expect.stringContaining('turnpike_record_clock_offset') },
    ]);
  });

  it('offline, when two settings are wrong and no response shows which', async () => {
    const right: ConcatScheme = { ...file, secret: 'prepend', separator: '|' };
    const gateway = await dialectGateway({ signing: right });
    const { out } = await cli(['doctor', '--config', settingsFile(gateway.url, { profile: concat }), '--probe']);
    expect(gateway.asked).toHaveLength(10);
    expect(out).toMatch(/wrong +signature of requests[\s\S]*turnpike doctor sign/);
    const message = { merchant_id: '100001', account_id: '200001', orders: 'A-1' };
    const encryption_data = concatSignature(message, right.fields.query ?? [], right, account.signingSecret);
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-sign-'));
    writeFileSync(join(folder, 'sample'), new URLSearchParams({ ...message, encryption_data }).toString());
    writeFileSync(join(folder, 'secret'), account.signingSecret);
    const sample = ['--message', join(folder, 'sample'), '--secret-file', join(folder, 'secret')];
    const { out: found } = await cli(['--json', 'doctor', 'sign', ...sample]);
    const works = { secret: 'prepend', separator: '|', fields: { query: right.fields.query } };
    expect(z.array(finding).parse(jsonLines(found))).toContainEqual(
      expect.objectContaining({
        status: 'ok',
        setting: 'gateway.profile.signing',
        works: expect.objectContaining(works),
      }),
    );
  });
});
