import { z } from 'zod';
import { type OperationName, operationNames, operations, type Verify } from '../../../shared/gateway/operations.ts';

const hashes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
const hmacs = ['hmac-md5', 'hmac-sha1', 'hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;

const fieldNames = z
  .array(
    z
      .string()
      .min(1, 'must not be empty')
      .refine((name) => name !== 'encryption_data', 'is the signature itself'),
  )
  .min(1, 'must name at least one field');

/** Only an HMAC takes the secret as its key. */
function isPair(algorithm: string, secret: string): boolean {
  return algorithm.startsWith('hmac-') === (secret === 'key');
}

const fieldsByOperation = z.partialRecord(z.enum(operationNames), fieldNames);

const concat = z
  .strictObject({
    scheme: z.literal('concat'),
    algorithm: z.enum([...hashes, ...hmacs]),
    /** The fields of each operation's request that are signed, in this order, by their wire names. */
    fields: fieldsByOperation,
    /** The same for the answers. */
    answer_fields: fieldsByOperation.default({}),
    separator: z.string().default(''),
    /** The place of the secret: after or before the values as one more of them, or as the key of the HMAC. */
    secret: z.enum(['append', 'prepend', 'key']),
    /** The part of a named field that is absent or empty: `keep` makes it an empty part, which is the default. */
    empty: z.enum(['keep', 'omit']).optional(),
    output: z.enum(['hex', 'HEX', 'base64']).default('hex'),
  })
  .superRefine(({ algorithm, secret }, context) => {
    if (isPair(algorithm, secret)) return;
    const message =
      secret === 'key' ? `needs an hmac-… algorithm, not ${algorithm}` : `must be "key" with ${algorithm}`;
    context.addIssue({ code: 'custom', path: ['secret'], message });
  });
export type ConcatScheme = z.infer<typeof concat>;

const parts = concat.shape;

/** All values of the parts of `concat`, except fields and separator; algorithms only with the places of the secret that fit. */
export const concatParts = {
  hashing: parts.algorithm.options.flatMap((algorithm) =>
    parts.secret.options.flatMap((secret) => (isPair(algorithm, secret) ? [{ algorithm, secret }] : [])),
  ),
  outputs: parts.output.unwrap().options,
  empties: parts.empty.unwrap().options,
};

/** `signing` in the profile: the rule for `encryption_data` (§5.4). */
export const signing = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('canonical') }),
  concat,
  z.strictObject({ scheme: z.literal('module'), path: z.string().min(1, 'must not be empty') }),
]);
export type Signing = z.infer<typeof signing>;

/** The reason why messages of an operation cannot be signed, for the operator; undefined if they can. */
export function whyUnsignable(scheme: Signing, operation: OperationName): string | undefined {
  if (scheme.scheme !== 'concat' || scheme.fields[operation]) return undefined;
  return `The relay’s configuration does not say what is signed: gateway.profile.signing.fields has no ${operation}.`;
}

/** The problems of `signing` together with the rest of a profile. */
export function* signingProblems(profile: {
  signing: Signing;
  service_field: string;
  verify: Readonly<Record<string, Verify>>;
}): Generator<{ path: (string | number)[]; message: string }> {
  const { signing, service_field, verify } = profile;
  if (signing.scheme !== 'concat') return;
  for (const name of operationNames) {
    const fields = signing.fields[name];
    if (!fields) continue;
    for (const [at, field] of fields.entries()) {
      const specName = field === service_field ? 'service' : field;
      const isShadowed = field === 'service' && service_field !== 'service';
      if (isShadowed || !Object.hasOwn(operations[name].request.shape, specName)) {
        yield { path: ['signing', 'fields', name, at], message: `"${field}" is not a field of the ${name} request` };
      }
    }
    if (verify[name] === 'required' && !signing.answer_fields[name]) {
      const message = `must be given, because verify.${name} is required; ask the gateway’s operator, or set that to "off"`;
      yield { path: ['signing', 'answer_fields', name], message };
    }
  }
}
