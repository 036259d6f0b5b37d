import express, { type RequestHandler } from 'express';
// In your shop: from 'turnpike/webhooks'.
import { createVerifier, WebhookRefused } from '../../webhooks/index.ts';
import type { createOrders } from './orders.ts';

/**
 * `POST /webhooks`: the relay reports that an order is ready for delivery. This alone makes an order paid, for it comes even if the
 * shopper closes the tab, and not while the gateway holds the payment for a review. `secret` is the one in the relay's config file.
 */
export function webhooks(secret: string, orders: ReturnType<typeof createOrders>): RequestHandler[] {
  const verify = createVerifier({ secrets: secret });
  return [
    // The signature is over the bytes as they came: before any express.json().
    express.raw({ type: () => true, limit: '1mb' }),
    async (request, response) => {
      try {
        const webhook = await verify(request.body, request.headers);
        // What this shop does not know yet is no reason to have it sent again.
        if (orders.take(webhook.id) && webhook.known && webhook.type === 'payment.ready') {
          orders.pay(webhook.data.order_no, webhook.data.payment);
        }
        // Answered at once: parcels and mails come afterwards.
        response.sendStatus(204);
      } catch (error) {
        if (!(error instanceof WebhookRefused)) throw error;
        response.status(400).send(error.code);
      }
    },
  ];
}
