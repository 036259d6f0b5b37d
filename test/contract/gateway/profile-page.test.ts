import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../../relay/base/keys.ts';
import { birthDateForms, codeBook, profile } from '../../../relay/gateway/profile.ts';
import { profileRoutes } from '../../../relay/routes/console.ts';
import { paymentCodes } from '../../../sandbox/gateway/books/states.ts';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { operationNames } from '../../../shared/gateway/operations.ts';
import { approval, scriptedGateway, sendXml, xml } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/gateway-profile.md'), 'utf8');

/** The code block of a language that contains a text. */
function block(language: string, containing: string): string {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, name, text]) => name === language && text?.includes(containing))?.[2];
  if (found === undefined) throw new Error(`the page has no ${language} with ${containing}`);
  return found;
}

/** The output of a shell block, and what its comment says about it. */
function printed(containing: string): { text: string; result: string } {
  const [, text = '', result = ''] = /printf '%s' '(.*)' \|.*\n# (\S+)/.exec(block('sh', containing)) ?? [];
  return { text, result };
}

const given = z.record(z.string(), z.unknown());

/** The relay with this profile and the page's secret, and the payment that the page describes. */
async function payAsOnThePage(settings: object, answerSignature: string) {
  const gateway = await scriptedGateway((received, res) => {
    sendXml(res, xml({ ...approval(received), encryption_data: answerSignature }));
  });
  const shop = {
    id: 'demo',
    merchant_id: '100001',
    account_id: '200001',
    signing_secret: 'example-secret',
    allowed_origins: ['http://127.0.0.1:8082'],
    api_keys: [{ name: 'all', sha256: sha256(apiKey), scopes: ['*'] }],
  };
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    profile: { ...settings },
    config: { accounts: [shop] },
  });
  const { secret } = await relay.session({ order: { order_no: 'A-1001', currency: 'BRL', amount: '129.90' } });
  const { status } = (await relay.pay(secret, card)).body;
  return { status, signature: gateway.authorised()[0]?.message.encryption_data };
}

describe('the page about the gateway profile', () => {
  it('contains a valid profile with every setting', () => {
    const settings = given.parse(JSON.parse(block('json', 'gateway_time_zone')));
    expect(profile.safeParse(settings)).toMatchObject({ success: true });
    expect(Object.keys(settings).sort()).toEqual(Object.keys(profile.shape).sort());
    expect(Object.keys(given.parse(settings.codes)).sort()).toEqual(Object.keys(codeBook.shape).sort());
    expect(Object.keys(given.parse(settings.verify)).sort()).toEqual([...operationNames].sort());
  });

  it('has the sandbox’s codes that no default lists', () => {
    expect(
      JSON.parse(
        block('json', '"order_status": { "approved": ["1"], "declined": ["0"], "pending": ["2"] },\n  "payment'),
      ),
    ).toEqual(relayProfile.codes);
  });

  it('has the sandbox’s code of each state of a payment', () => {
    const { codes } = given.parse(JSON.parse(block('json', 'gateway_time_zone')));
    const listed = Object.fromEntries(Object.entries(paymentCodes).map(([state, code]) => [state, [code]]));
    expect(given.parse(codes).payment_status).toEqual(listed);
    const [example] = profileRoutes.getProfile.answers[0].content.examples ?? [];
    expect(example?.value).toMatchObject({ codes: { payment_status: listed } });
  });

  it('lists every setting, its default and its question', () => {
    const [open = '', questions = ''] = page.split('## What to ask');
    for (const setting of Object.keys(profile.shape)) {
      expect(open, setting).toMatch(new RegExp(`\\| \`${setting}(\\.<operation>)?\` \\|`));
      expect(questions, setting).toContain(`| \`${setting}\` |`);
    }
    for (const group of Object.keys(codeBook.shape)) expect(open, group).toContain(`\`${group}.`);
    for (const form of birthDateForms) expect(open, form).toContain(`\`${form}\``);
    const defaults = profile.parse({});
    for (const name of ['list_separator', 'json_content_type', 'gateway_time_zone', 'birth_date'] as const) {
      const row = open.split('\n').find((line) => line.includes(`| \`${name}\` |`));
      expect(row, name).toContain(`| \`${name}\` | \`${defaults[name]}\` |`);
    }
  });

  it('has a concat example with correct, reproducible numbers', async () => {
    const [request, answer] = [printed('|BRL|'), printed('0000:Success')];
    expect(request.result).toBe(createHash('sha256').update(request.text).digest('hex'));
    expect(answer.result).toBe(createHash('sha256').update(answer.text).digest('hex'));
    const signing = JSON.parse(block('json', '"concat"'));
    expect(await payAsOnThePage({ signing }, answer.result)).toEqual({ status: 'approved', signature: request.result });
    expect(await payAsOnThePage({ signing }, request.result)).toMatchObject({ status: 'unknown' });
  });

  it('has a signing module with correct, reproducible numbers', async () => {
    const { text, result } = printed('-hmac example-secret');
    expect(result).toBe(createHmac('sha1', 'example-secret').update(text).digest('base64'));
    const path = join(mkdtempSync(join(tmpdir(), 'turnpike-')), 'my-signer.ts');
    writeFileSync(path, block('ts', 'export function sign'));
    const answer = createHmac('sha1', 'example-secret').update('order_no=A-1001&order_status=1').digest('base64');
    const paid = await payAsOnThePage({ signing: { scheme: 'module', path } }, answer);
    expect(paid).toEqual({ status: 'approved', signature: result });
  });
});
