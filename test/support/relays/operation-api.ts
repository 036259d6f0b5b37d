import express from 'express';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import type { Context } from '../../../relay/context/context.ts';
import { createGateway } from '../../../relay/gateway/call.ts';
import { createClient } from '../../../relay/gateway/client.ts';
import { problemHandler } from '../../../relay/http/answer.ts';
import { incoming } from '../../../relay/http/incoming.ts';
import { createRunningHandlers } from '../../../relay/http/running-handlers.ts';
import { serveOperationState, serveOperations } from '../../../relay/operations/routes.ts';
import type { StoredOperation } from '../../../relay/payments/operations/operation.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { identity } from '../gateways/operation-cases.ts';
import { type Script, scriptedGateway, sendSigned } from '../gateways/scripted-gateway.ts';
import { serve } from '../http/http-server.ts';
import { testContext } from '../stores/context.ts';
import { account, apiKey, otherAccountKey, queryOnlyKey } from './relay.ts';

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };

export const captureOnlyKey = 'test-key-that-may-only-capture';
export const settleOnlyKey = 'test-key-that-may-only-settle';

/** Options of the relay. */
type Options = { profile?: object; timeoutMs?: number; config?: object; now?: () => Date };

/**
 * The routes of operations over HTTP for one test, with a store in memory and a real connection to a scripted
 * gateway, without pollers. Two accounts are configured: `otherAccountKey` belongs to the second, all other keys to
 * the first.
 */
export async function operationApi(
  script: Script,
  { profile = {}, timeoutMs = 20_000, config = {}, now }: Options = {},
) {
  const gateway = await scriptedGateway(script);
  const own = {
    id: 'demo',
    ...{ merchant_id: account.merchant_id, account_id: account.account_id, signing_secret: account.signingSecret },
    allowed_origins: ['https://shop.example'],
    api_keys: [
      { name: 'all', sha256: sha256(apiKey), scopes: ['*'] },
      { name: 'query', sha256: sha256(queryOnlyKey), scopes: ['query'] },
      { name: 'capture', sha256: sha256(captureOnlyKey), scopes: ['capture'] },
      { name: 'settle', sha256: sha256(settleOnlyKey), scopes: ['settle'] },
    ],
    webhook,
  };
  const other = {
    ...{ ...own, id: 'other', account_id: '200002' },
    api_keys: [{ name: 'all', sha256: sha256(otherAccountKey), scopes: ['*'] }],
  };
  const gatewaySettings = { base_url: gateway.url, timeout_ms: timeoutMs, profile };
  const context = await testContext({
    config: { gateway: gatewaySettings, accounts: [own, other], ...config },
    ...(now ? { now } : {}),
  });
  const client = createClient({ baseUrl: gateway.url, timeoutMs, headers: {} });
  const { signer, log } = context;
  Object.assign(context, createGateway({ client, profile: context.config.gateway.profile, signer, now: context.now }));
  const app = express();
  app.use(incoming({ ...context, handlers: createRunningHandlers(), isDraining: () => false }));
  let ended = 0;
  app.use((_req, res, next) => {
    res.once('close', () => {
      ended += 1;
    });
    next();
  });
  app.use(serveOperations(context), serveOperationState(context));
  app.use(problemHandler(log));
  const server = await serve(app);
  onTestFinished(async () => {
    await server.close();
    await client.close();
    await context.store.close();
  });
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${server.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  };
  return {
    context,
    gateway,
    url: server.url,
    /** The number of answers that ended: sent, or their connections closed. */
    ended: () => ended,
    post: (path: string, body: unknown, headers: Record<string, string> = {}, key = apiKey) =>
      send(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    get: (path: string, key = apiKey) => send(path, { headers: { authorization: `Bearer ${key}` } }),
    /** Every message to the gateway except refund searches. */
    sent: () => gateway.received.filter(({ path }) => path !== operations.refund_search.path),
    /** The written webhooks, oldest first. */
    async events() {
      const events = await context.store.outbox.list({ account: 'demo', limit: 100 });
      return events.reverse().map(({ type, body }) => ({ type, data: JSON.parse(body).data }));
    },
  };
}

type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

/** Executes every requested item, and finds no refunds. */
export const doing: Script = ({ message }, res) => {
  const { encryption_data: _, ...echo } = message;
  const done = { refund_status: '1', refund_message: 'V0000:OK', review_status: '1', capture_status: '1' };
  const lists = Object.entries(echo).map(([field, value]) => [
    field,
    Array.isArray(value) ? value.map((item) => ({ ...item, ...done, cancel_status: '1' })) : value,
  ]);
  const empty = 'refund_orders' in echo && !Array.isArray(echo.refund_orders) ? { refund_orders: [] } : {};
  const codes = { return_status: '1', return_message: 'OK', cancel_status: '1', status: 'COMPLETED' };
  sendSigned(res, { ...Object.fromEntries(lists), ...empty, ...identity, ...codes });
};

/** Answers refund searches like a gateway that executes everything, and other messages by this script. */
export const except =
  (script: Script): Script =>
  (received, res, req) =>
    (received.path === operations.refund_search.path ? doing : script)(received, res, req);

/** The stored operation of an answer. */
export async function keptOperation(
  { context }: { context: Pick<Context, 'store'> },
  { headers }: Pick<Answer, 'headers'>,
): Promise<StoredOperation> {
  const operation = await context.store.operations.get(headers.get('x-operation-id') ?? '');
  if (!operation) throw new Error('no operation is kept');
  return operation;
}
