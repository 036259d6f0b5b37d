import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { ConfigError } from '../../base/errors.ts';
import { checkSignature, createSigner, type SigningFailure } from './signer.ts';

const request = { operation: 'refund', direction: 'request', secret: 'k' } as const;

/** A signing module with this text, in a file of its own. */
function moduleFile(source: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-signer-')), 'signer.mjs');
  writeFileSync(path, source);
  return path;
}

async function signBy(source: string, limitMs = 2000) {
  const failures: SigningFailure[] = [];
  const path = moduleFile(source);
  const signer = await createSigner({ scheme: 'module', path }, (failure) => void failures.push(failure), limitMs);
  return { signed: await signer({ a: '1', encryption_data: 'old' }, request), failures };
}

describe('a signing module', () => {
  it('receives message without signature, operation, direction and secret', async () => {
    const source = 'export const sign = (...given) => JSON.stringify(given);';
    const { signed } = await signBy(source);
    expect(signed).toEqual({ kind: 'signed', signature: JSON.stringify([{ a: '1' }, request]) });
  });

  it('may answer later', async () => {
    const { signed } = await signBy('export async function sign(message) { return "s" + message.a; }');
    expect(signed).toEqual({ kind: 'signed', signature: 's1' });
  });

  it.each([
    ['throws', 'export function sign() { throw new Error("k"); }', 'threw'],
    ['rejects', 'export const sign = () => Promise.reject("k");', 'threw'],
    ['never answers', 'export const sign = () => new Promise(() => undefined);', 'too_late'],
    ['gives no text', 'export const sign = () => 12;', 'no_text'],
    ['gives an empty text', 'export const sign = () => "";', 'no_text'],
  ])('that %s signs nothing, and is reported without its words', async (_what, source, reason) => {
    const { signed, failures } = await signBy(source, 100);
    expect(signed).toEqual({ kind: 'failed' });
    expect(failures).toEqual([{ operation: 'refund', direction: 'request', reason }]);
  });

  it('cannot change what is sent', async () => {
    const path = moduleFile('export function sign(message) { message.list.push(1); message.b = 2; return "s"; }');
    const signer = await createSigner({ scheme: 'module', path });
    const message = { list: [] };
    await signer(message, request);
    expect(message).toEqual({ list: [] });
  });

  it.each([
    ['is not there', '/nowhere/signer.mjs', 'cannot be loaded (ERR_MODULE_NOT_FOUND)'],
    ['throws at its start', moduleFile('throw new Error("hunter2");'), 'cannot be loaded (Error)'],
    ['has no sign', moduleFile('export const signature = 1;'), 'does not export a function called sign'],
    [
      'has a sign that is no function',
      moduleFile('export const sign = "x";'),
      'does not export a function called sign',
    ],
  ])('that %s stops the relay at startup, and the error says so', async (_what, path, line) => {
    const failed = createSigner({ scheme: 'module', path });
    await expect(failed).rejects.toThrow(ConfigError);
    await expect(failed).rejects.toThrow(`gateway.profile.signing.path: ${path} ${line}`);
    await expect(failed).rejects.not.toThrow('hunter2');
  });
});

describe('a signer', () => {
  it('says of an operation without fields that it is not configured', async () => {
    const signer = await createSigner({
      scheme: 'concat',
      algorithm: 'md5',
      fields: { query: ['merchant_id'] },
      answer_fields: {},
      separator: '',
      secret: 'append',
      output: 'hex',
    });
    expect(await signer({}, request)).toEqual({
      kind: 'not_configured',
      detail: expect.stringContaining('gateway.profile.signing.fields has no refund'),
    });
  });

  it('gives no signature for a value without canonical JSON', async () => {
    const failures: SigningFailure[] = [];
    const signer = await createSigner({ scheme: 'canonical' }, (failure) => void failures.push(failure));
    expect(await signer({ note: '\ud800' }, request)).toEqual({ kind: 'failed' });
    expect(failures).toEqual([{ operation: 'refund', direction: 'request', reason: 'not_canonical' }]);
  });
});

describe('the signature of an answer', () => {
  const own = 'of the request';
  const answer = { order_no: 'A-1' };

  it.each([
    ['correct', sign(answer, 'secret'), { if_present: 'proved', required: 'proved', off: 'proved' }],
    ['absent', '', { if_present: 'unproved', required: 'signature_missing', off: 'proved' }],
    ['that of the request', own, { if_present: 'unproved', required: 'signature_wrong', off: 'proved' }],
    ['wrong', 'x', { if_present: 'signature_wrong', required: 'signature_wrong', off: 'proved' }],
  ] as const)('proves what the rule lets it prove: %s', async (_, encryption_data, expected) => {
    const signer = await createSigner({ scheme: 'canonical' });
    for (const rule of ['if_present', 'required', 'off'] as const) {
      const verifier = { signer, verify: { apm_payment: rule } };
      const found = await checkSignature(verifier, 'apm_payment', { ...answer, encryption_data }, 'secret', own);
      expect(found, rule).toBe(expected[rule]);
    }
  });

  it('proves nothing if no fields of it are configured', async () => {
    const fields = { apm_payment: ['order_no'] };
    const rest = { answer_fields: {}, separator: '', secret: 'append', output: 'hex' } as const;
    const signer = await createSigner({ scheme: 'concat', algorithm: 'sha256', fields, ...rest });
    const check = (rule: 'if_present' | 'required') =>
      checkSignature({ signer, verify: { apm_payment: rule } }, 'apm_payment', { encryption_data: 'x' }, 'secret', own);
    expect(await check('if_present')).toBe('unproved');
    expect(await check('required')).toBe('signature_not_checkable');
  });
});
