import { type Client, createClient } from '#client';
import { createVerifier, type Verifier } from '#webhooks';

type NewSession = Parameters<Client['sessions']['create']>[0];

/** The options of the provider in medusa-config.ts. */
export type TurnpikeOptions = {
  /** The address of the relay, such as `https://pay.example`. */
  url: string;
  /** An API key with the scopes `sessions`, `query`, `capture`, `cancel` and `refund`. */
  apiKey: string;
  /** The secret of the webhook endpoint, or all that are valid while one replaces another. */
  webhookSecret: string | readonly string[];
  /** The fields of each new session beside its order, such as `payment_methods`, `collect`, `return_url` and `expires_in`. */
  session?: Omit<NewSession, 'order' | 'metadata'>;
};

/**
 * Medusa answers a webhook before it processes it, and may process it later from a queue. An old webhook is harmless: it only causes
 * the provider to read the current state from the relay.
 */
const WEBHOOK_AGE_S = 4 * 24 * 60 * 60;

/** The relay's client and the verifier of its webhooks. Throws ClientMisused and VerifierMisused for wrong options. */
export function connect({ url, apiKey, webhookSecret }: TurnpikeOptions): { client: Client; verify: Verifier } {
  return {
    client: createClient({ url, apiKey }),
    verify: createVerifier({ secrets: webhookSecret, toleranceSeconds: WEBHOOK_AGE_S }),
  };
}
