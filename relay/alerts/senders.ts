import { WEBHOOK_TIMEOUT_MS, webhookRequestHeaders } from '../../shared/webhooks/signing.ts';
import type { Alerts, Recipient } from '../config/alerts.ts';
import type { Context } from '../context/context.ts';
import { createSender } from '../webhooks/send-webhook.ts';
import type { Mail } from './mail-text.ts';

/** How long a mail server may take to be reached, to greet, and to answer each command. */
const MAIL_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** The result of sending: `code` says why it failed. */
export type SendResult = { kind: 'sent' } | { kind: 'failed'; code: string };

/** The functions that reach the recipients of alerts. */
export type Senders = {
  mail(to: string, mail: Mail): Promise<SendResult>;
  /** Posts an event under its id, signed as webhooks are. */
  post(to: { url: string; secrets: readonly string[] }, id: string, event: object): Promise<SendResult>;
  close(): Promise<void>;
};

/** Creates the functions that reach the recipients. They never throw. */
export function createSenders({ config, now }: Pick<Context, 'config' | 'now'>): Senders {
  const { smtp } = config.alerts;
  const transport = smtp && mailTransport(smtp);
  const sender = createSender(config.webhooks, WEBHOOK_TIMEOUT_MS);
  const cutting = new AbortController();
  const cut = Promise.withResolvers<never>();
  // A stop that aborts no mail rejects it, too.
  cut.promise.catch(() => undefined);
  return {
    async mail(to, { subject, text }) {
      if (!transport) return { kind: 'failed', code: 'no_smtp' };
      try {
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const mail = { from: smtp.from, to, subject, text, headers };
        await Promise.race([transport.then((one) => one.sendMail(mail)), cut.promise]);
        return { kind: 'sent' };
      } catch (error) {
        return { kind: 'failed', code: mailFault(error) };
      }
    },
    async post({ url, secrets }, id, event) {
      const body = JSON.stringify(event);
      const headers = webhookRequestHeaders({ id, body }, secrets, now().getTime());
      const result = await sender.send(url, headers, body, cutting.signal);
      switch (result.kind) {
        case 'accepted':
          return { kind: 'sent' };
        case 'refused':
          return { kind: 'failed', code: result.fault };
        case 'stopped':
          return { kind: 'failed', code: 'stopped' };
      }
    },
    async close() {
      cutting.abort();
      cut.reject(new Stopped());
      (await transport)?.close();
      await sender.close();
    },
  };
}

/** Loads the code for mail on demand: most relays have no mail server. */
async function mailTransport(smtp: NonNullable<Alerts['smtp']>) {
  const { createTransport } = await import('nodemailer');
  return createTransport(optionsOf(smtp));
}

function optionsOf({ server, user, password = '' }: NonNullable<Alerts['smtp']>) {
  const { host, port, secure, isLocal } = server;
  return {
    ...{
      host,
      port,
      secure,
      requireTLS: !secure && !isLocal,
      ignoreTLS: !secure && isLocal,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    ...(user === undefined ? {} : { auth: { user, pass: password } }),
    ...MAIL_TIMEOUTS,
  };
}

/** The relay stops: whether the mail server took the mail is not known. */
class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly code = 'stopped';
}

/** The code of a failure: that of the connection, or the reply of the mail server. Its text may quote addresses. */
function mailFault(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if ('responseCode' in error && typeof error.responseCode === 'number') return `smtp_${error.responseCode}`;
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

/** A recipient that is reached by mail, or by a webhook. */
export const isByMail = (to: Recipient['to']): to is { email: string } => 'email' in to;
