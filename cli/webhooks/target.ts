import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { webhookKey } from '../../shared/webhooks/signing.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import type { Output } from '../base/output.ts';
import { readText } from '../base/settings.ts';

const error = 'must be an http or https address such as http://localhost:3000/hooks, without credentials';

/** The address of a shop's receiver: its query is kept, and `http://` may be left out. */
export const target = z
  .string({ error: 'is missing: the address of the shop’s receiver' })
  .transform((text, context) => {
    const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    }
    url.hash = '';
    return url.href;
  });

/** Warns where customers' data would leave the machine unencrypted. */
export function warnOfPlainHttp(out: Output, address: string): void {
  const { protocol, hostname, host } = new URL(address);
  if (protocol === 'https:' || /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)) return;
  out.say(`Warning: events hold customers’ data, and go to ${host} unencrypted. Use https there.`);
}

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
