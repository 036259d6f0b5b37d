import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import vectors from '../../../shared/vectors/concat-signing.json' with { type: 'json' };
import { concatSignature } from './concat.ts';
import { signing } from './signing-setting.ts';

const message = {
  order_no: 'A-1',
  amount: '129.90',
  checkout_time: 1_790_000_000,
  city: 'São Paulo',
  note: '',
  empty: null,
  subscription: { interval: 'M', billing_cycle: 12 },
  refund_orders: [{ transaction_id: 'T2', amount: '1.00' }],
};
const fields = ['order_no', 'amount'];

describe('a concat signature', () => {
  it('joins the named fields in their order, and the secret', () => {
    const append = { algorithm: 'sha256', separator: '', secret: 'append', output: 'hex' } as const;
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(concatSignature(message, fields, append, 's3cret')).toBe(sha256('A-1129.90s3cret'));
    expect(concatSignature(message, ['amount', 'order_no'], append, 's3cret')).toBe(sha256('129.90A-1s3cret'));
    const piped = { ...append, separator: '|' };
    expect(concatSignature(message, fields, piped, 's3cret')).toBe(sha256('A-1|129.90|s3cret'));
    expect(concatSignature(message, fields, { ...piped, secret: 'prepend' }, 's3cret')).toBe(
      sha256('s3cret|A-1|129.90'),
    );
  });

  it.each(vectors)('is that of the vector “$name”', ({ message, operation, fields, form, secret, encryption_data }) => {
    const scheme = signing.parse({ scheme: 'concat', ...form, fields: { [operation]: fields } });
    const signature =
      scheme.scheme === 'concat' ? concatSignature(z.looseObject({}).parse(message), fields, scheme, secret) : '';
    expect(signature).toBe(encryption_data);
  });

  it('puts the secret into an HMAC as its key, and nowhere else', () => {
    const scheme = { algorithm: 'hmac-sha512', separator: '&', secret: 'key', output: 'hex' } as const;
    expect(concatSignature(message, fields, scheme, 's3cret')).toBe(
      createHmac('sha512', 's3cret').update('A-1&129.90').digest('hex'),
    );
  });

  it.each(['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const)('knows %s, by itself and as HMAC', (name) => {
    const plain = { algorithm: name, separator: '', secret: 'append', output: 'hex' } as const;
    expect(concatSignature(message, fields, plain, 'k')).toBe(createHash(name).update('A-1129.90k').digest('hex'));
    const keyed = { algorithm: `hmac-${name}`, separator: '', secret: 'key', output: 'hex' } as const;
    expect(concatSignature(message, fields, keyed, 'k')).toBe(createHmac(name, 'k').update('A-1129.90').digest('hex'));
  });

  it('is written as hex, upper-case hex or base64', () => {
    const scheme = { algorithm: 'md5', separator: '', secret: 'append' } as const;
    const bytes = createHash('md5').update('A-1129.90k').digest();
    const written = (['hex', 'HEX', 'base64'] as const).map((output) =>
      concatSignature(message, fields, { ...scheme, output }, 'k'),
    );
    expect(written).toEqual([bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('base64')]);
  });

  it('writes numbers, objects, lists, texts and absent fields as specified', () => {
    const scheme = { algorithm: 'sha256', separator: ';', secret: 'append', output: 'hex' } as const;
    const all = ['checkout_time', 'city', 'note', 'empty', 'absent', 'constructor', 'subscription', 'refund_orders'];
    const text =
      '1790000000;São Paulo;;;;;{"billing_cycle":12,"interval":"M"};[{"amount":"1.00","transaction_id":"T2"}];k';
    expect(concatSignature(message, all, scheme, 'k')).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
  });

  it('leaves empty and absent fields out if the profile says so', () => {
    const scheme = { algorithm: 'sha256', separator: '|', secret: 'append', output: 'hex', empty: 'omit' } as const;
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const names = ['order_no', 'note', 'empty', 'absent', 'amount'];
    expect(concatSignature(message, names, scheme, 'k')).toBe(sha256('A-1|129.90|k'));
    expect(concatSignature(message, names, { ...scheme, empty: 'keep' }, 'k')).toBe(sha256('A-1||||129.90|k'));
  });
});
