import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { concatSignature } from '../../../relay/gateway/signing/concat.ts';
import { concatParts, signing as schema } from '../../../relay/gateway/signing/signing-setting.ts';
import { operationNames } from '../../../shared/gateway/operations.ts';
import concatVectors from '../../../shared/vectors/concat-signing.json' with { type: 'json' };
import canonicalVectors from '../../../shared/vectors/signing.json' with { type: 'json' };
import { type Sample, solve } from './search.ts';

const SECRET = 's3cret';
const query = { merchant_id: '100001', account_id: '200001', orders: 'A-1,A-2', trades: '', platform_source: 'web' };

const limit = { budgetMs: 60_000, now: () => 0 };

function sampleOf(signature: string, message: Sample['message'] = query): Sample {
  return { operation: 'query', direction: 'request', message, signature };
}

/** What is found for a message that was signed so. */
function foundFor(fields: readonly string[], form: Parameters<typeof concatSignature>[2], secrets = [SECRET]) {
  const signature = concatSignature(query, fields, form, secrets.at(-1) ?? '');
  return solve(sampleOf(signature), secrets, limit);
}

const vector = z.object({
  name: z.string(),
  operation: z.enum(operationNames),
  direction: z.enum(['request', 'answer']),
  secret: z.string(),
  message: z.record(z.string(), z.unknown()),
  fields: z.array(z.string()),
  encryption_data: z.string(),
});

describe('the search for a signing', () => {
  const forms = concatParts.hashing.flatMap((hashing) => concatParts.outputs.map((output) => ({ ...hashing, output })));

  it.each(forms)('finds $algorithm in $output, secret $secret', (form) => {
    const fields = ['merchant_id', 'account_id', 'orders'];
    const signing = { scheme: 'concat', ...form, separator: '|', fields: { query: fields }, answer_fields: {} };
    const { fits } = foundFor(fields, { ...form, separator: '|' });
    expect(fits).toEqual([{ signing, secret: SECRET }]);
    expect(schema.safeParse(fits[0]?.signing).success).toBe(true);
  });

  it.each(concatParts.empties)('finds a signature whose empty fields are: %s', (empty) => {
    const fields = ['orders', 'trades', 'merchant_id', 'account_id'];
    const form = { algorithm: 'hmac-sha1', secret: 'key', output: 'hex', separator: '|', empty } as const;
    // A field that is left out leaves no trace.
    const traced = empty === 'keep' ? fields : ['orders', 'merchant_id', 'account_id'];
    expect(foundFor(fields, form).fits).toMatchObject([{ signing: { fields: { query: traced } } }]);
  });

  it.each(z.array(vector).parse(concatVectors))('finds the vector “$name”', (given) => {
    const { operation, direction, message, encryption_data: signature, fields, secret } = given;
    const { fits } = solve({ operation, direction, message, signature }, [secret], limit);
    const isFilled = (field: string): boolean => message[field] !== '';
    const found = fits.map(({ signing }) => {
      if (signing.scheme !== 'concat') return [];
      const own = (direction === 'request' ? signing.fields : signing.answer_fields)[operation] ?? [];
      expect(concatSignature(message, own, signing, secret)).toBe(signature);
      return own.filter(isFilled);
    });
    expect(found).toContainEqual(fields.filter(isFilled));
  });

  it.each(canonicalVectors)('finds the default signature of the vector “$name”', (given) => {
    const { message, secret, encryption_data: signature } = given;
    expect(solve(sampleOf(signature, message), [secret], limit).fits).toEqual([
      { signing: { scheme: 'canonical' }, secret },
    ]);
  });

  it.each(['', '|', '&', ' ', '\n', '||', '#;#', '~', '"'])('finds the separator %j', (separator) => {
    const form = { algorithm: 'sha256', secret: 'append', output: 'hex', separator } as const;
    expect(foundFor(['merchant_id', 'orders'], form).fits[0]?.signing).toMatchObject({ separator });
  });

  const plain = { algorithm: 'sha256', secret: 'append', output: 'hex', separator: '|' } as const;

  it('finds any order of any of up to seven fields', () => {
    const fields = ['platform_source', 'orders', 'account_id', 'merchant_id'];
    expect(foundFor(fields, plain).fits).toMatchObject([{ signing: { fields: { query: fields } } }]);
  });

  it('finds some of many fields, and their order', () => {
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`field_${at}`, `v${at}`]));
    const signature = concatSignature(many, ['field_11', 'field_3', 'field_14'], plain, SECRET);
    const { fits } = solve(sampleOf(signature, many), [SECRET], limit);
    expect(fits).toMatchObject([{ signing: { fields: { query: ['field_11', 'field_3', 'field_14'] } } }]);
  });

  it('says which form of the secret makes the signature', () => {
    expect(foundFor(['merchant_id', 'orders'], plain, [SECRET, `${SECRET}\n`]).fits).toMatchObject([
      { secret: `${SECRET}\n` },
    ]);
  });

  it('gives every signing that fits where values are equal', () => {
    const message = { ...query, trades: query.orders };
    const signature = concatSignature(message, ['merchant_id', 'orders'], plain, SECRET);
    const { fits } = solve(sampleOf(signature, message), [SECRET], limit);
    const named = fits.map(({ signing }) => (signing.scheme === 'concat' ? signing.fields.query : []));
    expect(named.toSorted()).toEqual([
      ['merchant_id', 'orders'],
      ['merchant_id', 'trades'],
    ]);
  });

  it('ends when its time is over, and says what was left', () => {
    let reads = 0;
    const { fits, stages } = solve(sampleOf('0'.repeat(64)), [SECRET], { budgetMs: 20, now: () => reads++ });
    expect(fits).toEqual([]);
    expect(stages.map(({ done }) => done)).toEqual(['whole', 'part', 'none']);
  });

  it('finds nothing for another secret', () => {
    const { fits, tried, stages } = solve(sampleOf('0'.repeat(64)), [SECRET], limit);
    expect({ fits, done: new Set(stages.map(({ done }) => done)) }).toEqual({ fits: [], done: new Set(['whole']) });
    expect(tried).toBeGreaterThan(10_000);
  });
});
