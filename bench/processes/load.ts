import { Pool } from 'undici';
import { z } from 'zod';
import { payRequest } from '../payment.ts';
import { answerQuestions, sayListening } from './answer.ts';

/** Pays: `concurrency` payments at any time until every secret is used up, each timed from the first byte to the last. */
const load = z.object({ origin: z.string(), concurrency: z.int(), secrets: z.array(z.string()) });

let paid = 0;

answerQuestions(async (message) => {
  const { origin, concurrency, secrets } = load.parse(message);
  const pool = new Pool(origin, { connections: concurrency });
  const times: number[] = [];
  const failures: string[] = [];
  // Made before the clock starts: only the sending is measured.
  const requests = secrets.map((secret) => {
    paid += 1;
    const { headers, body } = payRequest(paid);
    return { headers: { ...headers, authorization: `Bearer ${secret}` }, body };
  });
  const payer = async (): Promise<void> => {
    for (let next = requests.pop(); next; next = requests.pop()) {
      const start = performance.now();
      const answer = await pool.request({ path: '/checkout/api/pay', method: 'POST', ...next });
      const text = await answer.body.text();
      times.push(performance.now() - start);
      if (!/"approved"|<order_status>1</.test(text)) failures.push(`${answer.statusCode} ${text.slice(0, 500)}`);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, payer));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    payments: times.length,
    seconds,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    failures: failures.length,
    failure: failures[0],
  };
});
sayListening(0);
