import express from 'express';
import { onTestFinished } from 'vitest';
import { parts } from '../demo.ts';
import { listen } from '../listen.ts';
import { createShop } from './shop.ts';

/** The relay's answers to the creation and the read of a session. */
export const session = {
  id: 'cs_1',
  client_secret: 'cs_1.secret',
  checkout_url: 'http://127.0.0.1:9/checkout/cs_1#cs_1.secret',
  status: 'open',
  expires_at: '2026-11-21T12:00:00Z',
  order_no: 'TEA-1',
};

export const shown = {
  ...session,
  created_at: '2026-11-21T11:00:00Z',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  attempts: [],
};

export type Answer = { status?: number; body: unknown };

/**
 * A shop in front of a relay that answers every request with `answer`, or reads with `look`, and the requests to that
 * relay. With a `webhookSecret` it receives webhooks.
 */
export async function startShop(answer: Answer, look = answer, webhookSecret?: string) {
  const asked: { method: string; path: string; authorization?: string | undefined; body: unknown }[] = [];
  const relayApp = express().use(express.json(), (request, response) => {
    const { method, path, body } = request;
    asked.push({ method, path, authorization: request.headers.authorization, body });
    const { status = 200, body: reply } = method === 'GET' ? look : answer;
    response.status(status).json(reply);
  });
  const relay = await listen(relayApp, 0, parts.relay);
  const options = { relayUrl: () => relay.url, shopUrl: () => shop.url, apiKey: 'key-1', webhookSecret };
  const shop = await listen(createShop(options).app, 0, parts.shop);
  onTestFinished(async () => {
    await shop.close();
    await relay.close();
  });
  const open = (path: string, cookie = '') =>
    fetch(`${shop.url}${path}`, { headers: { 'Accept-Language': 'pt-BR,en;q=0.5', cookie } });
  return { asked, open, relay, shop };
}
