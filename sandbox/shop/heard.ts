import { EventEmitter, once } from 'node:events';
import { z } from 'zod';

const about = z.object({
  id: z.string(),
  recurring_id: z.string().optional(),
  /** Of an operation: the transactions that it did something with. */
  items: z
    .array(z.object({ transaction_id: z.string() }))
    .optional()
    .catch(undefined),
});

/** What the gateway notified of is about the session of the payment whose notify_url it came to. */
const notified = z
  .object({ session_id: z.string(), fields: z.object({ recurring_id: z.string().optional().catch(undefined) }) })
  .transform(({ session_id, fields }) => ({ id: session_id, ...fields }));

/** What the shop reads of a webhook: its type, and the session (or operation) that it is about. */
export const told = z.object({ type: z.string(), data: z.union([about, notified]) });
export type ReceivedWebhook = z.infer<typeof told>;

/** What the shop's server was told by webhooks. */
export type Heard = ReturnType<typeof createHeard>;

/** Remembers the last `most` webhooks in the order in which they came. A real shop keeps them in its database. */
export function createHeard(most = 1000) {
  const webhooks = new Map<string, ReceivedWebhook>();
  const bell = new EventEmitter().setMaxListeners(0);
  const of = (id: string, transaction?: string): ReceivedWebhook[] =>
    [...webhooks.values()].filter(({ data }) => {
      const items = 'items' in data ? (data.items ?? []) : [];
      return data.id === id || items.some(({ transaction_id }) => transaction_id === transaction);
    });

  return {
    /** Takes a webhook with its webhook-id. One that was taken before changes nothing. */
    add(webhookId: string, webhook: ReceivedWebhook): void {
      if (webhooks.has(webhookId)) return;
      webhooks.set(webhookId, webhook);
      const [oldest] = webhooks.keys();
      if (webhooks.size > most && oldest !== undefined) webhooks.delete(oldest);
      bell.emit('told');
    },

    /** What was told of a session, and of what was done with its transaction, first things first. */
    of,

    /** Waits until a session's `type` was told, `ms` at most. */
    async soon(id: string, type: string, ms: number): Promise<void> {
      const signal = AbortSignal.timeout(ms);
      const isTold = () => of(id).some((webhook) => webhook.type === type);
      while (!isTold() && !signal.aborted) await once(bell, 'told', { signal }).catch(() => undefined);
    },
  };
}
