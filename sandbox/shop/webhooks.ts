import express, { type Request, type RequestHandler } from 'express';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { type Heard, told } from './heard.ts';

/**
 * Takes the relay's webhooks into `heard`: 204 for one that `secret` (`whsec_…`) signed, new or not, and 400 for anything
 * else. Throws for a secret that is none.
 */
export function webhooksRoute(secret: string, heard: Heard): RequestHandler[] {
  const verifier = new Webhook(secret);
  return [
    // The signature is over the bytes as they came.
    express.raw({ type: () => true, limit: '1mb' }),
    (request, response) => {
      const verified = verify(verifier, request);
      if (!verified) return void response.sendStatus(400);
      // A type that this shop does not know yet is no reason to have it sent again.
      const webhook = told.safeParse(verified.content);
      if (webhook.success) heard.add(verified.id, webhook.data);
      response.sendStatus(204);
    },
  ];
}

/** The id and the content of a webhook; undefined where it was not signed with the secret in the last five minutes. */
function verify(verifier: Webhook, request: Request): { id: string; content: unknown } | undefined {
  const body: unknown = request.body;
  const id = request.get('webhook-id') ?? '';
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': request.get('webhook-timestamp') ?? '',
    'webhook-signature': request.get('webhook-signature') ?? '',
  };
  try {
    return Buffer.isBuffer(body) ? { id, content: verifier.verify(body, headers) } : undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
}
