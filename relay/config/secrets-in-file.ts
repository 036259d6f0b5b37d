import { z } from 'zod';
import { webhookKey } from '../../shared/webhooks/signing.ts';
import { endpointSecrets, endpointsAsGiven } from './endpoints.ts';
import { type Environment, readSecret, type Secret, secret } from './secrets.ts';

const secretList = z.array(secret.optional().catch(undefined)).catch([]);

const accountsAsGiven = z.looseObject({
  accounts: z.array(
    z.looseObject({
      signing_secret: secret.optional().catch(undefined),
      previous_signing_secrets: secretList,
      ...endpointsAsGiven,
    }),
  ),
});

type NamedSecret = { where: string; secret: Secret; isWebhook: boolean };

/** The path of a previous signing secret. */
export const previousAt = (account: number, index: number): string =>
  `accounts.${account}.previous_signing_secrets.${index}`;

/** Every well-formed secret of a file that may have other mistakes. */
export function secretsIn(input: unknown): NamedSecret[] {
  const given = accountsAsGiven.safeParse(input);
  if (!given.success) return [];
  return given.data.accounts.flatMap(({ signing_secret, previous_signing_secrets: previous, ...endpoints }, at) =>
    [
      { where: `accounts.${at}.signing_secret`, secret: signing_secret, isWebhook: false },
      ...previous.map((secret, index) => ({ where: previousAt(at, index), secret, isWebhook: false })),
      ...endpointSecrets(endpoints).map(({ path, secret }) => ({
        where: `accounts.${at}.${path}`,
        secret,
        isWebhook: true,
      })),
    ].flatMap(({ secret, ...named }) => (secret === undefined ? [] : [{ ...named, secret }])),
  );
}

/** Reads a secret, and checks the form of a webhook's secret. */
export function checkedSecret({ secret, isWebhook }: NamedSecret, env: Environment): ReturnType<typeof readSecret> {
  const read = readSecret(secret, env);
  if (!isWebhook || 'problem' in read || webhookKey(read.value)) return read;
  return { problem: 'must be whsec_ and the base64 of 24 to 64 random bytes' };
}
