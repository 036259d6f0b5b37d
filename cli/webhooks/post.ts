import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { failureCode } from '../../shared/api/failure-code.ts';
import { WEBHOOK_TIMEOUT_MS, webhookKey, webhookRequestHeaders } from '../../shared/webhooks/signing.ts';
import { UsageError } from '../base/errors.ts';
import { type Io, type Style, styled } from '../base/io.ts';
import { type Output, plain } from '../base/output.ts';
import { readText } from '../base/settings.ts';

/** A webhook to send. `body` is what is signed and sent. */
export type Webhook = { id: string; type: string; body: string };

/**
 * The outcome of one try to deliver a webhook. `fault` is `timeout`, or the code of the failure, such as
 * `ECONNREFUSED`.
 */
export type Tried =
  | { kind: 'answered'; status: number; ms: number }
  | { kind: 'no_answer'; fault: string; ms: number }
  | { kind: 'stopped'; ms: number };

type PostOptions = {
  /** Aborts the try. */
  stopping?: AbortSignal;
  timeoutMs?: number;
  /** The request's headers, if they are not those of a correctly signed try. */
  headers?: Record<string, string>;
};

/** Sends a webhook once, signed anew, as the relay does. Never throws, never follows a redirect. */
export async function postWebhook(
  io: Io,
  { url, secret }: { url: string; secret: string },
  webhook: Webhook,
  { stopping, timeoutMs = WEBHOOK_TIMEOUT_MS, headers }: PostOptions = {},
): Promise<Tried> {
  const began = io.now().getTime();
  const timeout = AbortSignal.timeout(timeoutMs);
  const took = () => io.now().getTime() - began;
  try {
    const response = await io.fetch(url, {
      method: 'POST',
      headers: headers ?? webhookRequestHeaders(webhook, [secret], began),
      body: webhook.body,
      redirect: 'manual',
      signal: stopping ? AbortSignal.any([timeout, stopping]) : timeout,
    });
    const ms = took();
    // Only the status of the answer matters.
    await response.body?.cancel();
    return { kind: 'answered', status: response.status, ms };
  } catch (error) {
    if (stopping?.aborted) return { kind: 'stopped', ms: took() };
    return { kind: 'no_answer', fault: timeout.aborted ? 'timeout' : (failureCode(error) ?? 'no_answer'), ms: took() };
  }
}

/** Whether the receiver accepted the webhook. */
export function isTaken(tried: Tried): boolean {
  return tried.kind === 'answered' && tried.status >= 200 && tried.status <= 299;
}

/** Prints one try to deliver a webhook: a line for people, or an object with `--json`. `note` is the consequence. */
export function printTry(
  { io, out }: { io: Io; out: Output },
  webhook: Webhook & { subject?: string; created_at?: string },
  tried: Tried,
  note = '',
): void {
  const { id, type, subject, created_at } = webhook;
  const at = io.now();
  if (out.isJson) {
    const { kind, ms, ...outcome } = tried;
    const object = { at: at.toISOString(), id, type, subject, created_at, delivered: isTaken(tried), ...outcome, ms };
    io.out.write(`${JSON.stringify(object)}\n`);
    return;
  }
  const { text, style } = outcomeOf(tried);
  const time = styled(io, io.out, 'dim', clock(at));
  const outcome = `${styled(io, io.out, style, text)} ${tried.ms} ms`;
  io.out.write(`${time} ${plain(type)} ${plain(id)} → ${outcome}${note && `, ${note}`}\n`);
}

function outcomeOf(tried: Tried): { text: string; style: Style } {
  switch (tried.kind) {
    case 'answered':
      return { text: String(tried.status), style: isTaken(tried) ? 'green' : 'red' };
    case 'no_answer':
      return { text: tried.fault, style: 'red' };
    case 'stopped':
      return { text: 'cut off', style: 'yellow' };
  }
}

/** The local time of day. */
function clock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

const error = 'must be an http or https address such as http://localhost:3000/hooks, without credentials';

/** The address of a shop's receiver. Its query is kept, and `http://` may be left out. */
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

/** Warns if customers' data would leave the machine unencrypted. */
export function warnOfPlainHttp(out: Output, address: string): void {
  const { protocol, hostname, host } = new URL(address);
  if (protocol === 'https:' || /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)) return;
  out.say(`Warning: events hold customers’ data, and go to ${host} unencrypted. Use https there.`);
}

/** The variable from which a shop's receiver reads its secret, also in the documentation. */
export const SECRET_VARIABLE = 'TURNPIKE_WEBHOOK_SECRET';

/**
 * The secret for signing webhooks: from `--secret-file`, otherwise from the environment; undefined without both. Throws
 * UsageError.
 */
export function givenSecret(io: Io, secretFile: string | undefined): string | undefined {
  if (secretFile !== undefined) return checked(readText(secretFile, 'the secret file').trim(), secretFile);
  const inEnvironment = io.env[SECRET_VARIABLE];
  return inEnvironment ? checked(inEnvironment, SECRET_VARIABLE) : undefined;
}

/** The secret of a command that requires one. Throws UsageError if it is missing. */
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
