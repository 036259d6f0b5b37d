import { createServer } from 'node:http';
import { z } from 'zod';
import type { operationAnswer } from '../../shared/api/operation.ts';
import { answerQuestions, sayListening } from './answer.ts';

/**
 * A relay that does every refund after `delay_ms`, and tells its outcome after as long. It tells how many requests for
 * refunds it had since that was set, and the most at any time.
 */
const questions = z.union([z.object({ delay_ms: z.number() }), z.literal('counted')]);
const body = z.object({ refund_orders: z.array(z.unknown()), references: z.array(z.string()) });

let delayMs = 0;
let counted = { calls: 0, items: 0, most: 0 };
let running = 0;
let operations = new Map<string, z.infer<typeof body>>();

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const isRefund = req.method === 'POST';
    const id = isRefund ? `op_${counted.calls}` : String(req.url?.split('/').at(-1));
    if (isRefund) {
      const asked = body.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      operations.set(id, asked);
      running += 1;
      const { calls, items, most } = counted;
      counted = { calls: calls + 1, items: items + asked.references.length, most: Math.max(most, running) };
    }
    setTimeout(() => {
      if (isRefund) running -= 1;
      res.setHeader('x-operation-id', id);
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify(isRefund ? { refund_orders: [] } : operation(id)));
    }, delayMs);
  });
});

function operation(id: string): z.infer<typeof operationAnswer> {
  const { refund_orders = [], references = [] } = operations.get(id) ?? {};
  operations.delete(id);
  return {
    ...{ id, operation: 'refund', status: 'answered', created_at: '2027-01-01T00:00:00Z', by: 'bench' },
    ...{ request: { refund_orders }, references, items: references.map(() => 'succeeded') },
  };
}

answerQuestions((asked) => {
  const question = questions.parse(asked);
  if (question === 'counted') return counted;
  delayMs = question.delay_ms;
  counted = { calls: 0, items: 0, most: 0 };
  operations = new Map();
  return 'ok';
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  sayListening(typeof address === 'object' && address ? address.port : 0);
});
