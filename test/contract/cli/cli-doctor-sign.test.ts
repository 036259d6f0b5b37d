import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { profile } from '../../../relay/gateway/profile.ts';
import { signing } from '../../../relay/gateway/signing/signing-setting.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { cli, jsonLines } from '../../support/operators/cli.ts';

const SECRET = 'offline-s3cret';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const finding = z.object({
  check: z.string(),
  status: z.string(),
  says: z.string(),
  next: z.string().optional(),
  works: z.unknown().optional(),
});

/** Writes files with these names and returns their folder. */
function files(texts: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sign-'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs the command and checks that it sends nothing and prints no secret. */
async function signed(message: string, signature: string | undefined, secret = `${SECRET}\n`, json = true) {
  const folder = files({ 'message.txt': message, secret });
  const args = ['doctor', 'sign', '--message', join(folder, 'message.txt'), '--secret-file', join(folder, 'secret')];
  const all = [...(json ? ['--json'] : []), ...args, ...(signature === undefined ? [] : ['--signature', signature])];
  const fetch = () => Promise.reject(new Error('nothing may be sent'));
  const ended = await cli(all, { io: { fetch } });
  expect(ended.out + ended.err).not.toContain(SECRET);
  return ended;
}

async function findings(message: string, signature?: string, secret?: string) {
  const ended = await signed(message, signature, secret);
  return { ...ended, findings: z.array(finding).parse(jsonLines(ended.out)) };
}

const query = 'merchant_id=100001&account_id=200001&orders=A-1001';

describe('turnpike doctor sign', () => {
  it('prints the settings to paste, as the relay accepts them', async () => {
    const { code, out } = await signed(query, sha256(`A-1001|100001|${SECRET}`), undefined, false);
    expect(code).toBe(0);
    const { gateway } = z
      .object({ gateway: z.object({ profile: z.looseObject({ signing }) }) })
      .parse(JSON.parse(out.slice(out.indexOf('\n{'))));
    expect(profile.parse({ ...gateway.profile, verify: { query: 'off' } }).signing).toMatchObject({
      scheme: 'concat',
      algorithm: 'sha256',
      separator: '|',
      secret: 'append',
      fields: { query: ['orders', 'merchant_id'] },
    });
  });

  it('reads the signature from the message itself', async () => {
    const message = { merchant_id: '1', account_id: '2', refund_orders: [{ transaction_id: 'T', amount: '1.00' }] };
    const signed = JSON.stringify({ ...message, encryption_data: sign(message, SECRET) });
    const { code, findings: found } = await findings(signed);
    expect({ code, found }).toMatchObject({
      code: 0,
      found: [
        { says: expect.stringContaining('request of refund') },
        { works: { scheme: 'canonical' } },
        { check: 'secret' },
      ],
    });
  });

  it('finds how an XML answer is signed', async () => {
    const xml =
      '<?xml version="1.0"?>\n<respon><order_no>A-1</order_no><order_status>1</order_status><note/></respon>\n';
    const { code, findings: found } = await findings(xml, `"${sha256(`${SECRET}A-11`).toUpperCase()}"`);
    expect(code).toBe(0);
    expect(found.find(({ check }) => check === 'signing')?.works).toMatchObject({
      answer_fields: { direct_payment: ['order_no', 'order_status', 'note'] },
      secret: 'prepend',
      output: 'HEX',
    });
  });

  it.each([
    ['a newline', '\n', `${SECRET}\n`, 'with a newline at its end'],
    ['a newline that the file lacks', '\n', SECRET, 'with a newline at its end'],
    ['a newline of Windows', '\r\n', SECRET, /with a newline of Windows/],
    ['white space', '  ', `${SECRET}  `, 'with the white space around it'],
  ])('names a secret with %s at its end', async (_what, end, secret, says) => {
    const { code, findings: found } = await findings(query, sha256(`100001200001A-1001${SECRET}${end}`), secret);
    expect(code).toBe(1);
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'secret',
        status: 'wrong',
        says: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
      }),
    );
  });

  it('names quotation marks around the secret', async () => {
    const { code, findings: found } = await findings(query, sha256(`100001200001A-1001${SECRET}`), `"${SECRET}"`);
    expect(code).toBe(1);
    expect(found).toContainEqual(expect.objectContaining({ says: expect.stringContaining('quotation marks') }));
  });

  it('reports two matching methods and prints no settings', async () => {
    const message = 'merchant_id=7&account_id=7&orders=A-1';
    const { code, out } = await signed(message, sha256(`7|A-1|${SECRET}`), undefined, false);
    expect(code).toBe(4);
    expect(out).toMatch(/2 signings fit.*of account_id, orders; or .*of merchant_id, orders/);
    expect(out).not.toContain('"gateway"');
  });

  it('reports what it did not try when nothing matches', async () => {
    const { code, findings: found } = await findings(query, sha256('something else'));
    expect(code).toBe(4);
    expect(found).toMatchObject([
      { check: 'message' },
      { check: 'signing', status: 'unknown', next: expect.stringContaining('secret') },
      { check: 'not tried', says: expect.stringContaining('names of fields') },
    ]);
  });

  it('names a signature format that no setting writes', async () => {
    const url = createHash('sha256').update(`100001200001A-1001${SECRET}`).digest('base64url');
    const { code, findings: found } = await findings(query, url);
    expect(code).toBe(1);
    expect(found).toContainEqual(expect.objectContaining({ check: 'output', status: 'wrong' }));
  });

  it.each([
    ['no signature', query, undefined, SECRET, /No signature is given/],
    ['a signature that is cut off', query, 'abc123', SECRET, /the text of no hash/],
    ['an empty secret', query, sha256(''), ' \n', /is empty/],
    ['an empty message', '', sha256(''), SECRET, /is empty/],
    ['an invalid message', 'hello', sha256(''), SECRET, /neither JSON, nor XML, nor a form/],
  ])('ends with 2 for %s', async (_what, message, signature, secret, says) => {
    const { code, out, err } = await signed(message, signature, secret);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });

  it.each([
    [['--message', '/nowhere/m', '--secret-file', '/nowhere/s'], /Cannot read the message \/nowhere\/m \(ENOENT\)/],
    [['--message', '/nowhere/m'], /--secret-file/],
    [['--message', tmpdir(), '--secret-file', '/nowhere/s'], /EISDIR/],
    [['--message', '/nowhere/m', '--secret-file', '/nowhere/s', '--operation', 'pay'], /--operation: must be one of/],
  ])('ends with 2 for wrong usage: %j', async (args, says) => {
    const { code, err } = await cli(['doctor', 'sign', ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(says);
  });
});
