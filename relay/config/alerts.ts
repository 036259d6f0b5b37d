import { z } from 'zod';
import { attentionKinds } from '../../shared/api/attention.ts';
import { isLoopbackHost } from '../gateway/issuer/addresses.ts';
import { type Secret, secret } from './secrets.ts';
import { httpUrl, parseUrl } from './urls.ts';

const MAX_RECIPIENTS = 50;

const recipient = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,64}$/i, 'must be 1 to 64 letters, digits, - or _'),
  email: z.email('must be an e-mail address').optional(),
  url: httpUrl.optional(),
  /** The secrets that sign messages to `url`. */
  secrets: z.array(secret).min(1).max(2).optional(),
  /** The ids of the accounts whose cases the recipient gets. Default: all. */
  accounts: z.array(z.string()).min(1).optional(),
  kinds: z.array(z.enum(attentionKinds)).min(1).optional(),
  every: z.enum(['minute', 'hour', 'day']).default('minute'),
  /** Whether the recipient also gets a daily summary of sales, refunds and differences. */
  summary: z.boolean().default(false),
  language: z.enum(['en', 'pt-BR']).default('en'),
});

/** The recipients of alerts. */
export const alerts = z.strictObject({
  smtp: z
    .strictObject({
      url: z.string().refine((text) => serverAt(text) !== undefined, 'must be smtps://HOST or smtp://HOST:PORT'),
      user: z.string().min(1).optional(),
      password: secret.optional(),
      from: z.string().min(3).max(300),
    })
    .optional(),
  /** The address of the console, for links. */
  console_url: httpUrl.optional(),
  /** The time of day of daily alerts and summaries, in UTC. */
  daily_at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day in UTC, such as 07:00')
    .default('07:00'),
  recipients: z.array(recipient).max(MAX_RECIPIENTS).default([]),
});

type Given = z.infer<typeof alerts>;

/**
 * A mail server. The connection is encrypted from the start (`secure`) or by STARTTLS; on loopback it may be
 * unencrypted.
 */
export type MailServer = { host: string; port: number; secure: boolean; isLocal: boolean };

/** A recipient of alerts, with its secrets read. */
export type Recipient = Omit<Given['recipients'][number], 'email' | 'url' | 'secrets'> & {
  to: { email: string } | { url: string; secrets: readonly string[] };
};

/** The settings of alerts, with their secrets read. */
export type Alerts = {
  smtp?: { server: MailServer; from: string; user?: string; password?: string };
  console_url?: string;
  daily_at: string;
  recipients: readonly Recipient[];
};

function serverAt(text: string): MailServer | undefined {
  const url = parseUrl(text);
  const secure = url?.protocol === 'smtps:';
  if (!url?.hostname || !(secure || url.protocol === 'smtp:') || url.username || url.search) return undefined;
  const port = url.port === '' ? (secure ? 465 : 587) : Number(url.port);
  return { host: url.hostname, port, secure, isLocal: isLoopbackHost(url.hostname) };
}

/**
 * Reads the settings of alerts with their secrets.
 * @param secretAt returns the secret at a path, such as `alerts.smtp.password`
 */
export function readAlerts(
  { smtp, console_url, daily_at, recipients }: Given,
  secretAt: (path: string) => string,
): Alerts {
  const server = smtp && serverAt(smtp.url);
  return {
    daily_at,
    ...(console_url === undefined ? {} : { console_url }),
    ...(smtp && server
      ? {
          smtp: {
            ...{ server, from: smtp.from },
            ...(smtp.user === undefined ? {} : { user: smtp.user }),
            ...(smtp.password === undefined ? {} : { password: secretAt('alerts.smtp.password') }),
          },
        }
      : {}),
    recipients: recipients.map(({ email, url = '', secrets = [], ...recipient }, at) => ({
      ...recipient,
      to: email === undefined ? { url, secrets: secrets.map((_, i) => secretAt(secretPath(at, i))) } : { email },
    })),
  };
}

const secretPath = (recipient: number, index: number): string => `alerts.recipients.${recipient}.secrets.${index}`;

const maybeSecret = secret.optional().catch(undefined);

/** The form of the secrets of alerts, in settings that may have other mistakes. */
const asGiven = z
  .looseObject({
    smtp: z.looseObject({ password: maybeSecret }).optional().catch(undefined),
    recipients: z.array(z.looseObject({ secrets: z.array(maybeSecret).catch([]) }).catch({ secrets: [] })).catch([]),
  })
  .optional()
  .catch(undefined);
const settings = z.looseObject({ alerts: asGiven });

/** The secrets of alerts in a config file, each with its path. */
export function alertSecrets(input: unknown): { where: string; secret: Secret; isWebhook: boolean }[] {
  const { smtp, recipients = [] } = settings.safeParse(input).data?.alerts ?? {};
  return [
    { where: 'alerts.smtp.password', secret: smtp?.password, isWebhook: false },
    ...recipients.flatMap(({ secrets }, at) =>
      secrets.map((secret, i) => ({ where: secretPath(at, i), secret, isWebhook: true })),
    ),
  ].flatMap(({ secret, ...named }) => (secret === undefined ? [] : [{ ...named, secret }]));
}

/** Yields the problems of the settings of alerts. */
export function* alertProblems({
  alerts: given,
  accounts,
}: {
  alerts: Given;
  accounts: readonly { id: string }[];
}): Generator<string> {
  const ids = new Set<string>();
  for (const [at, { id, email, url, secrets, accounts: named = [] }] of given.recipients.entries()) {
    const where = `alerts.recipients.${at}`;
    if (ids.has(id)) yield `${where}.id: two recipients are called ${id}`;
    ids.add(id);
    if ((email === undefined) === (url === undefined)) yield `${where}: give either email or url`;
    if ((url === undefined) !== (secrets === undefined)) yield `${where}.secrets: are needed for a url, and only there`;
    if (email !== undefined && !given.smtp) yield `${where}.email: needs alerts.smtp`;
    for (const [index, account] of named.entries()) {
      if (!accounts.some((one) => one.id === account))
        yield `${where}.accounts.${index}: there is no account ${account}`;
    }
  }
  const { user, password } = given.smtp ?? {};
  if ((user === undefined) !== (password === undefined)) yield 'alerts.smtp: give user and password, or none of them';
}
