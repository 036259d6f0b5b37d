import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Io } from '../../../cli/base/io.ts';
import { bodyOf, serve } from '../http/http-server.ts';
import { cli } from './cli.ts';
import { type Reply, scriptedKey } from './scripted-relay.ts';

const refunds = z.object({
  refund_orders: z.array(z.record(z.string(), z.string())),
  references: z.array(z.string()),
});
type Sent = { key: string; body: z.infer<typeof refunds> };

/**
 * A relay that executes every refund, except for requests that `script` answers (by their number, from 1), and the
 * command with a file of this many rows. Its waits take no time.
 */
export async function bulkRelay(script: (sent: Sent, number: number) => Reply | undefined = () => undefined) {
  const sent: Sent[] = [];
  const answers = new Map<string, Sent>();
  const server = await serve(async (req, res) => {
    const send = (reply: Reply): void => {
      if (reply === 'hang') return;
      if (reply === 'drop') return void res.destroy();
      res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      res.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    };
    if (req.method === 'GET') {
      const id = String(req.url?.split('/').at(-1));
      const { body } = answers.get(id) ?? {};
      if (!body) return send({ status: 404, body: { code: 'not_found', title: 'There is nothing here' } });
      return send({ status: 200, body: operationOf(id, body) });
    }
    const one = { key: String(req.headers['idempotency-key']), body: refunds.parse(JSON.parse(await bodyOf(req))) };
    sent.push(one);
    const scripted = script(one, sent.length);
    if (scripted) return send(scripted);
    const id = `op_${one.key}`;
    answers.set(id, one);
    send({ status: 200, headers: { 'x-operation-id': id }, body: { refund_orders: [] } });
  });
  onTestFinished(server.close);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bulk-'));
  const file = join(folder, 'refunds.csv');
  const waits: number[] = [];
  return {
    sent,
    folder,
    file,
    waits,
    url: server.url,
    write: (text: string) => writeFileSync(file, text),
    /** Runs `turnpike bulk refund` with the file. */
    run: (args: readonly string[] = ['--yes'], io: Partial<Io> = {}) =>
      cli(['bulk', 'refund', file, '--concurrency', '1', '--json', ...args], {
        env: { TURNPIKE_URL: server.url, TURNPIKE_API_KEY: scriptedKey },
        io: { wait: async (ms) => void waits.push(ms), ...io },
      }),
  };
}

/** A file of this many refunds. */
export function refundRows(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `T${at},BRL,10.00,1.00\n`);
  return `transaction_id,currency,amount,refund_amount\n${rows.join('')}`;
}

function operationOf(id: string, body: Sent['body']): object {
  return {
    ...{ id, operation: 'refund', status: 'answered', created_at: '2027-01-01T00:00:00Z', by: 'server' },
    request: { refund_orders: body.refund_orders },
    items: body.refund_orders.map(() => 'succeeded'),
    references: body.references,
  };
}
