import { createServer } from 'node:http';
import { z } from 'zod';
import type { operationAnswer } from '../../shared/api/operation.ts';
import { answerQuestions, sayListeningAt } from '../processes/ipc.ts';

/**
 * A scripted relay whose refunds all succeed: it answers each request for refunds, and each request for their outcome, after
 * `delay_ms`. It counts the requests for refunds since `delay_ms` was set, and the maximum of concurrent ones.
 */
const questions = z.union([z.object({ delay_ms: z.number() }), z.literal('counts')]);
const refundRequest = z.object({ refund_orders: z.array(z.unknown()), references: z.array(z.string()) });

let delayMs = 0;
let counts = { calls: 0, items: 0, most: 0 };
let running = 0;
let operations = new Map<string, z.infer<typeof refundRequest>>();

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const isRefund = req.method === 'POST';
    const id = isRefund ? `op_${counts.calls}` : String(req.url?.split('/').at(-1));
    if (isRefund) {
      const request = refundRequest.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      operations.set(id, request);
      running += 1;
      const { calls, items, most } = counts;
      counts = { calls: calls + 1, items: items + request.references.length, most: Math.max(most, running) };
    }
    setTimeout(() => {
      if (isRefund) running -= 1;
      res.setHeader('x-operation-id', id);
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify(isRefund ? { refund_orders: [] } : operation(id)));
    }, delayMs);
  });
});

/** The answer to `GET /v1/operations/:id`. */
function operation(id: string): z.infer<typeof operationAnswer> {
  const { refund_orders = [], references = [] } = operations.get(id) ?? {};
  operations.delete(id);
  return {
    ...{ id, operation: 'refund', status: 'answered', created_at: '2027-01-01T00:00:00Z', by: 'bench' },
    ...{ request: { refund_orders }, references, items: references.map(() => 'succeeded') },
  };
}

answerQuestions((message) => {
  const question = questions.parse(message);
  if (question === 'counts') return counts;
  delayMs = question.delay_ms;
  counts = { calls: 0, items: 0, most: 0 };
  operations = new Map();
  return 'ok';
});
server.listen(0, '127.0.0.1', () => sayListeningAt(server));
