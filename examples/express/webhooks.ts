import express, { type RequestHandler } from 'express';
// In your shop: from 'turnpike/webhooks'.
import { createVerifier, WebhookRefused } from '../../webhooks/index.ts';
import type { createOrders } from './orders.ts';

/**
 * `POST /webhooks`: the relay reports that an order is ready for delivery. Only this marks an order as paid: it comes
 * even if the shopper closes the tab, and not while the gateway holds the payment for a review. `secret` is the one in
 * the relay's config file.
 */
export function webhooks(secret: string, orders: ReturnType<typeof createOrders>): RequestHandler[] {
  const verify = createVerifier({ secrets: secret });
  return [
    // The signature covers the unchanged bytes, so this comes before any express.json().
    express.raw({ type: () => true, limit: '1mb' }),
    async (request, response) => {
      try {
        const webhook = await verify(request.body, request.headers);
        // The shop accepts events that it does not know, because sending them again would not help.
        if (orders.take(webhook.id) && webhook.known && webhook.type === 'payment.ready') {
          orders.pay(webhook.data.order_no, webhook.data.payment);
        }
        // Answer first; parcels and mails come afterwards.
        response.sendStatus(204);
      } catch (error) {
        if (!(error instanceof WebhookRefused)) throw error;
        response.status(400).send(error.code);
      }
    },
  ];
}
