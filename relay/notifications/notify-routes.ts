import { isUtf8 } from 'node:buffer';
import express, { type Request, type Response, type Router } from 'express';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import { isNotificationToken, sha256 } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { readJsonAnswer } from '../gateway/answers/json-answer.ts';
import { readXmlAnswer } from '../gateway/answers/read-answer.ts';
import { XmlAnswerError } from '../gateway/answers/xml-answer.ts';
import { identifyingFields } from '../gateway/identifying-fields.ts';
import { refuseLonger } from '../http/refused-body.ts';
import { serve } from '../http/serve.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { notifyRoutes } from '../routes/relay.ts';
import type { Notification } from '../store/facets/notifications.ts';
import { notificationContent } from './payment-notification.ts';
import { receivePayoutNotification } from './payout-notification.ts';

/** The maximum size of a notification. Usual ones have about a kilobyte. */
const MAX_BODY_BYTES = 1_048_576;

const readBytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES });

/** The subject of a notify_url: a payment or a payout. A renewal may come after its first payment was deleted. */
type Subject = { account: Account; id: string } & (
  | { kind: 'payment'; isKept: boolean }
  | { kind: 'payout'; payout: StoredOperation }
);

/**
 * The routes for the gateway's notifications. A payment's notification proves nothing: it is stored and acknowledged, and then the order
 * is queried. A payout cannot be queried, so its notification is processed before it is acknowledged.
 */
export function serveNotifications(context: Context): Router {
  return serve(context, notifyRoutes, {
    notifyByGet: ({ req, res }) => takeNotification(context, req, res, queryBytes(req)),
    notify: async ({ req, res }) => takeNotification(context, req, res, await bodyBytes(req, res)),
  });
}

/** Some gateways notify by GET, with the fields in the query of the address. */
function queryBytes({ originalUrl }: Request): Buffer {
  const at = originalUrl.indexOf('?');
  return Buffer.from(at < 0 ? '' : originalUrl.slice(at + 1));
}

/** A body of any type, of at most 1 MiB when it is decompressed. Throws ProblemError for anything else. */
async function bodyBytes(req: Request, res: Response): Promise<Buffer> {
  if (Number(req.get('content-length')) > MAX_BODY_BYTES) throw bodyTooLarge();
  await new Promise<void>((read, reject) => {
    readBytes(req, res, (error: unknown) => (error === undefined ? read() : reject(bodyProblem(error))));
    refuseLonger(req, MAX_BODY_BYTES, () => reject(bodyTooLarge()));
  });
  const body: unknown = req.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function bodyProblem(error: unknown): ProblemError {
  const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  if (isTooLarge) return bodyTooLarge();
  return new ProblemError('unsupported_media_type', 'Send it plain, or compressed with gzip, deflate or br.');
}

function bodyTooLarge(): ProblemError {
  return new ProblemError('body_too_large', 'Send at most 1 MiB.');
}

async function takeNotification(context: Context, req: Request, res: Response, body: Buffer): Promise<void> {
  const subject = await subjectOf(context, req);
  if (!subject) throw new ProblemError('not_found', 'Notifications go to the notify_url of a payment or payout.');
  // A probe of the address is no notification.
  if (req.method !== 'HEAD') await keepNotification(context, subject, body);
  res.type('text/plain').send(context.config.gateway.profile.notification_ack);
  if (subject.kind === 'payment') context.wakeUps[subject.isKept ? 'reconciliation' : 'notices'].wake();
}

/** The payment or payout of an address; undefined for an unknown address. Throws StoreError. */
async function subjectOf(context: Context, { params }: Request): Promise<Subject | undefined> {
  const id = String(params.id);
  switch (params.kind) {
    case 'payment': {
      const session = await context.store.sessions.get(id);
      const account = addressee(context, params, session?.account);
      return account && { kind: 'payment', account, id, isKept: session !== undefined };
    }
    case 'payout': {
      const payout = await context.store.operations.get(id);
      const account = payout && addressee(context, params, payout.account);
      return payout?.name === 'payout' && account ? { kind: 'payout', account, id, payout } : undefined;
    }
    default:
      return undefined;
  }
}

/** The account whose token the address has: the one with this id, or any account if the id is not known. */
function addressee({ config }: Context, params: Request['params'], id: string | undefined): Account | undefined {
  const { kind, id: subject, token } = params;
  return config.accounts.find(
    (account) =>
      (id === undefined || account.id === id) &&
      isNotificationToken(account, String(kind), String(subject), String(token)),
  );
}

/** Stores a notification, and applies a payout's. Throws StoreError: then the gateway must send it again. */
export async function keepNotification(context: Context, subject: Subject, body: Buffer): Promise<void> {
  const { kind, id, account } = subject;
  const message = readNotification(body);
  const received = { bytes: body.length, sha256: sha256(body) };
  const received_at = context.now();
  const waiting = await waitingOf(context, subject, message, received_at);
  await context.store.notifications.add({
    kind,
    subject: id,
    account: account.id,
    received_at: received_at.toISOString(),
    ...received,
    fields: waiting ? identifyingFields(waiting.notice.fields, true) : identifyingFields(message ?? {}),
    ...(waiting ? { waiting } : {}),
  });
  context.metrics.notification(kind);
  if (subject.kind === 'payout')
    await receivePayoutNotification(context, account, subject.payout, { ...received, message });
  else context.log.info({ session: id, bytes: received.bytes }, 'payment notification received');
}

/** How long a notification waits for its own order's query before the notification poller handles it. */
const MAX_WAIT_MS = 15 * 60_000;

/** The content of a payment's notification, stored until a webhook reports it. */
async function waitingOf(
  context: Context,
  subject: Subject,
  message: Message | undefined,
  now: Date,
): Promise<Notification['waiting']> {
  if (subject.kind === 'payout') return undefined;
  const notice = await notificationContent(context, subject.account, subject.id, message);
  const due_at = new Date(now.getTime() + (subject.isKept ? MAX_WAIT_MS : 0)).toISOString();
  return { notice, due_at };
}

/**
 * Reads a notification. The spec does not define its format (§6): it may be a JSON object, an XML `respon` or a form. The first character
 * decides, because senders' content types are unreliable. Undefined if it is none of them.
 */
export function readNotification(body: Buffer): Message | undefined {
  const start = new TextDecoder().decode(body.subarray(0, 64)).trimStart()[0];
  if (start === '{') return readJson(body);
  return start === '<' ? readXml(body) : readForm(body);
}

function readJson(body: Uint8Array): Message | undefined {
  const message = readJsonAnswer(body);
  return typeof message === 'string' ? undefined : message;
}

function readXml(body: Uint8Array): Message | undefined {
  try {
    return readXmlAnswer(body);
  } catch (error) {
    if (error instanceof XmlAnswerError) return undefined;
    throw error;
  }
}

function readForm(body: Buffer): Message | undefined {
  if (!isUtf8(body)) return undefined;
  const text = body.toString('utf8');
  const parameters = [...new URLSearchParams(text)];
  const message = Object.fromEntries(parameters);
  const isForm = text.includes('=') && Object.keys(message).length === parameters.length;
  return isForm ? message : undefined;
}
