import { EventEmitter, once } from 'node:events';
import type { CookieOptions } from 'express';
import { z } from 'zod';
import type { SessionCreated } from '../../client/index.ts';
import type { Options } from './tea.ts';

const about = z.object({
  id: z.string(),
  recurring_id: z.string().optional(),
  /** The transactions of an operation. */
  items: z
    .array(z.object({ transaction_id: z.string() }))
    .optional()
    .catch(undefined),
});

/** A notification belongs to the session of the payment whose notify_url received it. */
const notified = z
  .object({ session_id: z.string(), fields: z.object({ recurring_id: z.string().optional().catch(undefined) }) })
  .transform(({ session_id, fields }) => ({ id: session_id, ...fields }));

/** A webhook about a later charge belongs to its contract. */
const ofContract = z
  .object({ recurring_id: z.string() })
  .transform(({ recurring_id }): z.infer<typeof about> => ({ id: recurring_id, recurring_id }));

/** A webhook about a payment belongs to the session that made it; a later charge has none. */
const ofPayment = z
  .object({ payment: z.object({ session_id: z.string().optional(), transaction_id: z.string() }) })
  .transform(({ payment }): z.infer<typeof about> => ({ id: payment.session_id ?? payment.transaction_id }));

/** The parts of a webhook that the shop reads: its type, and its session or operation. */
export const webhookBody = z.object({ type: z.string(), data: z.union([about, notified, ofContract, ofPayment]) });
export type ReceivedWebhook = z.infer<typeof webhookBody>;

/** The webhooks that the shop's server received. */
export type ReceivedWebhooks = ReturnType<typeof createReceivedWebhooks>;

/** Keeps the last `max` webhooks in the order of arrival. A real shop keeps them in its database. */
export function createReceivedWebhooks(max = 1000) {
  const webhooks = new Map<string, ReceivedWebhook>();
  const bell = new EventEmitter().setMaxListeners(0);
  const of = (id: string, transaction?: string): ReceivedWebhook[] => {
    const all = [...webhooks.values()];
    const contracts = all.flatMap(({ data }) => (data.id === id ? (data.recurring_id ?? []) : []));
    return all.filter(({ data }) => {
      const items = 'items' in data ? (data.items ?? []) : [];
      const isDone = items.some(({ transaction_id }) => transaction_id === transaction);
      return data.id === id || contracts.includes(data.id) || isDone;
    });
  };

  return {
    /** Adds a webhook by its webhook-id. A repeated one changes nothing. */
    add(webhookId: string, webhook: ReceivedWebhook): void {
      if (webhooks.has(webhookId)) return;
      webhooks.set(webhookId, webhook);
      const [oldest] = webhooks.keys();
      if (webhooks.size > max && oldest !== undefined) webhooks.delete(oldest);
      bell.emit('received');
    },

    /** The webhooks of a session, its contract and its transaction, oldest first. */
    of,

    /** Waits until a session's webhook of this `type` is received, at most `ms`. */
    async soon(id: string, type: string, ms: number): Promise<void> {
      const signal = AbortSignal.timeout(ms);
      const isReceived = () => of(id).some((webhook) => webhook.type === type);
      while (!isReceived() && !signal.aborted) await once(bell, 'received', { signal }).catch(() => undefined);
    },
  };
}

/** The fields of a session that the shop needs to show its checkout. */
export type Checkout = Pick<SessionCreated, 'id' | 'client_secret' | 'checkout_url'>;

/**
 * The only cookie, with a visitor's order: browsers would send further ones to the relay's and gateway's ports, too.
 */
export const COOKIE = 'order';

/** The options of the order's cookie: HttpOnly, one day. The sandbox is on loopback, without TLS. */
export const cookieOptions: CookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 24 * 60 * 60 * 1000 };

/** Writes the values for showing an order's checkout again. */
export function writeCookie(options: Options, { id, client_secret }: Checkout): string {
  return Buffer.from(JSON.stringify({ of: goods(options), id, client_secret })).toString('base64url');
}

/** Reads the current order of these options out of a `Cookie` header; undefined when there is none. */
export function readCookie(header: string | undefined, options: Options, relayUrl: string): Checkout | undefined {
  const entry = header?.split('; ').find((candidate) => candidate.startsWith(`${COOKIE}=`));
  const kept = text.safeParse(entry?.slice(COOKIE.length + 1));
  if (!kept.success || kept.data.of !== goods(options)) return undefined;
  const { id, client_secret } = kept.data;
  return { id, client_secret, checkout_url: `${relayUrl}/checkout/${id}#${client_secret}` };
}

/** The ordered goods. Language and theme do not change them. */
function goods({ amount, methods, subscription }: Options): string {
  return `${amount ?? 'tea'} ${methods ?? 'all'} ${subscription ?? 'once'}`;
}

const id = z.string().regex(/^[\w-]{1,200}$/);
const secret = z.string().regex(/^[\w.-]{1,200}$/);

const text = z
  .string()
  .transform((value, context) => {
    try {
      const parsed: unknown = JSON.parse(Buffer.from(value, 'base64url').toString());
      return parsed;
    } catch {
      context.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ of: z.string(), id, client_secret: secret }));
