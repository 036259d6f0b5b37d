import express, { type RequestHandler } from 'express';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import type { createOrders } from './orders.ts';

const event = z.object({ type: z.string(), data: z.object({ id: z.string(), order_no: z.string().optional() }) });

/**
 * `POST /webhooks`: the relay tells what became of an order. This alone makes an order paid, for it comes even where the shopper
 * closes the tab. `secret` is the one in the relay's config file.
 */
export function webhooks(secret: string, orders: ReturnType<typeof createOrders>): RequestHandler[] {
  const webhook = new Webhook(secret);
  return [
    // The signature is over the bytes as they came: before any express.json().
    express.raw({ type: () => true, limit: '1mb' }),
    (request, response) => {
      const id = request.get('webhook-id') ?? '';
      let told: unknown;
      try {
        told = webhook.verify(request.body, {
          'webhook-id': id,
          'webhook-timestamp': request.get('webhook-timestamp') ?? '',
          'webhook-signature': request.get('webhook-signature') ?? '',
        });
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        response.sendStatus(400);
        return;
      }
      // A type that this shop does not know yet is no reason to have it sent again.
      const known = event.safeParse(told);
      if (orders.take(id) && known.success && known.data.type === 'session.approved') {
        orders.pay(known.data.data.order_no ?? '');
      }
      // Answered at once: parcels and mails come afterwards.
      response.sendStatus(204);
    },
  ];
}
