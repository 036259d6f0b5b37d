import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Signing } from '../../../relay/gateway/signing/signing-setting.ts';
import { type Dialect, dialectGateway } from '../../support/gateways/dialect-gateway.ts';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { account, queryOnlyKey, startTestRelay, testConfig } from '../../support/relays/relay.ts';

const finding = z.object({
  check: z.string(),
  status: z.enum(['ok', 'wrong', 'unknown', 'skipped']),
  says: z.string(),
  setting: z.string().optional(),
  works: z.unknown().optional(),
});

/** The settings file of a relay with a gateway. */
function settingsFile(gatewayUrl: string, profile: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
  const file = join(folder, 'relay.json');
  writeFileSync(file, JSON.stringify(testConfig({ gatewayUrl, profile, folder })));
  return file;
}

/** The findings of the doctor. Checks that the output contains no secret. */
async function examined(file: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const ended = await cli(['--json', 'doctor', '--config', file, ...args], { env });
  expect(ended.out + ended.err).not.toContain(account.signingSecret);
  const findings = z.array(finding).parse(jsonLines(ended.out));
  return { ...ended, findings, wrong: findings.filter(({ status }) => status === 'wrong') };
}

const canonical: Signing = { scheme: 'canonical' };

const concat: Signing = {
  scheme: 'concat',
  algorithm: 'sha256',
  fields: { query: ['merchant_id', 'account_id', 'orders'], cancel: ['merchant_id', 'account_id'] },
  answer_fields: {},
  separator: '',
  secret: 'append',
  output: 'hex',
};

const unverified = { query: 'off', cancel: 'off' };

describe('turnpike doctor', () => {
  it('finds nothing wrong when the gateway matches the file', async () => {
    const gateway = await dialectGateway({});
    const { code, findings } = await examined(settingsFile(gateway.url, {}));
    expect({ code, findings: findings.filter(({ status }) => status === 'unknown' || status === 'wrong') }).toEqual({
      code: 0,
      findings: [],
    });
    expect(findings.find(({ check }) => check === 'other settings')?.says).toMatch(
      /cannot be checked by a query.*birth_date/,
    );
  });

  it('reports why the relay returns no orders to check with', async () => {
    const gateway = await dialectGateway({});
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const env = { TURNPIKE_API_KEY: queryOnlyKey };
    const { code, findings } = await examined(settingsFile(gateway.url, {}), ['--url', relay.url], env);
    const says = expect.stringMatching(/^the relay does not give its newest paid orders: .*console/);
    expect(findings).toContainEqual({ check: 'orders of the relay', status: 'unknown', says });
    expect(code).toBe(4);
  });

  it('reports an unregistered address and tries no signature', async () => {
    const gateway = await dialectGateway({});
    gateway.registeredAddresses.replace(['192.0.2.1']);
    const { code, wrong } = await examined(settingsFile(gateway.url, {}));
    expect({ code, wrong }).toMatchObject({ code: 1, wrong: [{ check: 'registered address' }] });
    expect(gateway.asked).toHaveLength(1);
  });

  it('names the account that the gateway does not know', async () => {
    const gateway = await dialectGateway({});
    const { code, wrong } = await examined(settingsFile(gateway.url, {}), ['--account', 'other']);
    expect({ code, wrong: wrong.map(({ check }) => check) }).toEqual({ code: 1, wrong: ['merchant and account'] });
    expect(gateway.asked).toHaveLength(1);
    expect((await cli(['doctor', '--config', settingsFile(gateway.url, {}), '--account', 'none'])).code).toBe(2);
  });

  it('shows no signed text, whatever the gateway says about it', async () => {
    const signing: Signing = { ...concat, algorithm: 'sha512', separator: '~' };
    const quoting: Dialect = {
      signing,
      refusalText: (message) =>
        `: expected ${message.merchant_id}${message.orders}${account.signingSecret}, not ${message.encryption_data}`,
    };
    const gateway = await dialectGateway(quoting);
    const { code, out, wrong } = await examined(settingsFile(gateway.url, { signing: concat, verify: unverified }));
    expect({ code, wrong: wrong.length, asked: gateway.asked.length }).toEqual({ code: 1, wrong: 1, asked: 10 });
    for (const { message } of gateway.asked) {
      expect(out).not.toContain(String(message.orders));
      expect(out).not.toContain(String(message.encryption_data));
    }
  });

  it('sends nothing to a gateway with an unknown name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
    const file = join(folder, 'relay.json');
    const profile = { signing: canonical, codes: { return_status: { success: ['1'] } } };
    writeFileSync(file, JSON.stringify(testConfig({ gatewayUrl: 'https://gateway.invalid', profile, folder })));
    const { code, wrong } = await examined(file);
    expect({ code, wrong }).toMatchObject({ code: 1, wrong: [{ check: 'connection', setting: 'gateway.base_url' }] });
  });

  it.each([
    [[], /--config/],
    [['--config', '/nowhere/relay.json'], /config_invalid[\s\S]*cannot read/],
  ])('ends with 2 for wrong usage: %j', async (args, says) => {
    const { code, out, err } = await cli(['doctor', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });
});
