import { createServer } from 'node:http';
import { z } from 'zod';
import { createGateway, type Gateway } from '../../sandbox/gateway/gateway.ts';
import { freePort } from '../../test/support/http/free-port.ts';
import { benchAccount } from '../harness/settings.ts';
import type { ReceivedWebhook } from './webhooks.ts';

const webhook = z.object({ type: z.string(), data: z.object({ id: z.string().default('') }) });

/** The sandbox gateway and, at `/webhooks` of the same port, a shop that accepts each webhook. */
export async function startGatewayAndShop(): Promise<{
  gateway: Gateway;
  port: number;
  received: ReceivedWebhook[];
  close(): void;
}> {
  const received: ReceivedWebhook[] = [];
  const port = await freePort();
  const gateway = createGateway({ merchants: [benchAccount], publicUrl: () => `http://127.0.0.1:${port}` });
  const server = createServer((req, res) => {
    if (req.url !== '/webhooks') return gateway.app(req, res);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { type, data } = webhook.parse(JSON.parse(body));
      received.push({ id: String(req.headers['webhook-id']), type, subject: data.id, body });
      res.end();
    });
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    gateway,
    port,
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
