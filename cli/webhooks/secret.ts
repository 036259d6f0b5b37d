import { randomBytes } from 'node:crypto';
import { webhookKey } from '../../shared/webhooks/signing.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { readText } from '../base/settings.ts';

/** The variable that a shop's receiver reads its secret from, in the documentation too. */
export const SECRET_VARIABLE = 'TURNPIKE_WEBHOOK_SECRET';

/** The secret to sign webhooks with: in `--secret-file`, else in the environment; undefined where neither is. Throws UsageError. */
export function givenSecret(io: Io, secretFile: string | undefined): string | undefined {
  if (secretFile !== undefined) return checked(readText(secretFile, 'the secret file').trim(), secretFile);
  const inEnvironment = io.env[SECRET_VARIABLE];
  return inEnvironment ? checked(inEnvironment, SECRET_VARIABLE) : undefined;
}

/** The same where it must be there. Throws UsageError. */
export function requiredSecret(io: Io, secretFile: string | undefined): string {
  const secret = givenSecret(io, secretFile);
  if (secret !== undefined) return secret;
  throw new UsageError(
    'No webhook secret is given.',
    `Give --secret-file, or set ${SECRET_VARIABLE}: the secret that the receiver verifies with.`,
  );
}

/** A new secret. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function checked(secret: string, source: string): string {
  if (webhookKey(secret)) return secret;
  throw new UsageError(`${source} holds no webhook secret.`, 'A secret is whsec_ and the base64 of 24 to 64 bytes.');
}
