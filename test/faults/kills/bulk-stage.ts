import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { bodyOf, type ServerResponse, serve } from '../../support/http/http-server.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** Where a run of the command is killed: at one of its requests, or after this many chunks in its journal. */
export type KillAt =
  /** The relay never receives it. */
  | { post: number; phase: 'sent' }
  /** The relay has answered, and the command has not received the answer. */
  | { post: number; phase: 'done' }
  /** The command queries the outcome. */
  | { get: number }
  | { chunks: number };

/** One row of the file. */
type FileRow = { transaction_id: string; refund_amount: string; reference?: string };

const root = join(import.meta.dirname, '../../..');
const PAYMENTS = 50;
const AMOUNT = '500.00';

/** A relay, its gateway's records, a shop's file of refunds, and the command as a process that a test kills. */
export async function startBulkStage(options: { references: boolean }) {
  const gateway = await sandboxGateway();
  // Long enough that a refund on a busy machine is not of unknown outcome.
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 60_000 });
  const wire = await startRelayWire(relay.url);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bulk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'refunds.csv');
  const journal = `${file}.journal`;

  const payments = await Promise.all(
    Array.from({ length: PAYMENTS }, async (_, at) => {
      const order = { order_no: `B-${at}`, currency: 'BRL', amount: AMOUNT };
      const { body } = await relay.post('/v1/payments', apiKey, { ...order, ...card });
      return String(body.transaction_id);
    }),
  );
  // Three equal rows of each payment, far from each other.
  const rows: FileRow[] = ['1.00', '2.00', '1.00', '3.00', '1.00', '4.00'].flatMap((refund_amount, round) =>
    payments.map((transaction_id, at) => ({
      transaction_id,
      refund_amount,
      ...(options.references ? { reference: `R-${round}-${at}` } : {}),
    })),
  );

  return {
    rows,
    results: join(folder, 'refunds.results.csv'),
    write(all: readonly FileRow[]): void {
      const columns = [
        'transaction_id',
        'currency',
        'amount',
        'refund_amount',
        ...(options.references ? ['reference'] : []),
      ];
      const lines = all.map(({ transaction_id, refund_amount, reference }) =>
        [transaction_id, 'BRL', AMOUNT, refund_amount, ...(reference === undefined ? [] : [reference])].join(','),
      );
      writeFileSync(file, `${[columns.join(','), ...lines].join('\n')}\n`);
    },
    /** Runs the command and kills it (SIGKILL) at one place; without one it runs to its end. */
    async run(killAt?: KillAt) {
      const child = spawn(
        process.execPath,
        ['cli/main.ts', 'bulk', 'refund', file, '--yes', '--json', '--concurrency', '2'],
        {
          cwd: root,
          env: { ...process.env, TURNPIKE_URL: wire.url, TURNPIKE_API_KEY: apiKey },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      let [out, err] = ['', ''];
      child.stdout.on('data', (data) => (out += String(data)));
      child.stderr.on('data', (data) => (err += String(data)));
      const closed = once(child, 'close');
      const before = chunksIn(journal);
      const newChunks = () => chunksIn(journal) - before;
      wire.watch(child, killAt, newChunks);
      if (killAt && 'chunks' in killAt) {
        await until('the journal has its chunks', () => newChunks() >= killAt.chunks || child.exitCode !== null);
        child.kill('SIGKILL');
      }
      await closed;
      if (killAt) expect(child.signalCode, `killed at ${JSON.stringify(killAt)}: ${err}`).toBe('SIGKILL');
      return { code: child.exitCode, out, err };
    },
    /** A journal as left by a kill during a write. */
    tearJournal: () => writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"type":"chunk","id":99,"key":"bulk-`),
    deleteJournal: () => rmSync(journal),
    /** The refunds that the gateway made, by payment and amount, sorted. */
    booked: () =>
      gateway.books.refunds
        .list()
        .map(({ payment, refund_amount }) => `${payment.transaction_id} ${refund_amount}`)
        .sort(),
  };
}

/** The refunds that the rows of a file cause in the gateway's records. */
export function bookedOf(rows: readonly FileRow[]): string[] {
  return rows.map(({ transaction_id, refund_amount }) => `${transaction_id} ${refund_amount}`).sort();
}

function chunksIn(journal: string): number {
  return existsSync(journal) ? readFileSync(journal, 'utf8').split('{"type":"chunk"').length - 1 : 0;
}

async function waitForEnd(child: ChildProcess | undefined, res: ServerResponse): Promise<void> {
  if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
  res.destroy();
}

/** A proxy between the command and the relay, at which the command is killed. */
async function startRelayWire(target: string) {
  let child: ChildProcess | undefined;
  let killAt: KillAt | undefined;
  let newChunks = (): number => 0;
  let counted = { post: 0, get: 0 };

  const kill = async (): Promise<void> => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'exit');
    child.kill('SIGKILL');
    await closed;
  };

  const wire = await serve(async (req, res) => {
    const body = await bodyOf(req);
    const isPost = req.method === 'POST';
    counted[isPost ? 'post' : 'get'] += 1;
    // It gets no further.
    if (killAt && 'chunks' in killAt && newChunks() >= killAt.chunks) return void (await waitForEnd(child, res));
    // Later requests while the last one is on its way get no further, either.
    if (killAt && 'post' in killAt && isPost && counted.post > killAt.post) return void (await waitForEnd(child, res));
    const isHere =
      killAt &&
      (isPost ? 'post' in killAt && killAt.post === counted.post : 'get' in killAt && killAt.get === counted.get);
    if (isHere && !(killAt && 'phase' in killAt && killAt.phase === 'done')) {
      await kill();
      return void res.destroy();
    }
    const answer = await fetch(`${target}${req.url}`, {
      method: isPost ? 'POST' : 'GET',
      headers: Object.fromEntries(
        ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
          const value = req.headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      ),
      ...(isPost ? { body } : {}),
    });
    const text = await answer.text();
    if (isHere) await kill();
    res.on('error', () => undefined);
    const kept = ['content-type', 'x-operation-id', 'retry-after', 'idempotency-replayed'];
    res.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => kept.includes(name))));
    res.end(text);
  });
  onTestFinished(wire.close);
  return {
    url: wire.url,
    watch(watched: ChildProcess, at: KillAt | undefined, chunks: () => number): void {
      child = watched;
      newChunks = chunks;
      killAt = at;
      counted = { post: 0, get: 0 };
    },
  };
}
