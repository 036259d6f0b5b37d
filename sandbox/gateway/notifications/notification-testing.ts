import { onTestFinished } from 'vitest';
import { parts } from '../../demo.ts';
import { listen } from '../../listen.ts';

/** A notification as it stood on the wire. */
type Got = { path: string; type: string; body: string };
/** What a merchant's server answers to one notification; `nothing` leaves it waiting. */
export type Reaction = { status: number; headers?: Record<string, string>; body?: string } | 'nothing';

/** A merchant's server for the length of one test, which answers notifications as told, the last way from then on. */
export async function startListener(...reactions: Reaction[]) {
  const got: Got[] = [];
  const server = await listen(
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      got.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body });
      const reaction = reactions[Math.min(got.length, reactions.length) - 1] ?? { status: 200 };
      if (reaction === 'nothing') return;
      response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? 'OK');
    },
    0,
    parts.shop,
  );
  onTestFinished(() => server.close());
  return { got, url: `${server.url}/notify/payment/cs_1/SECRET-TOKEN`, origin: server.url };
}
