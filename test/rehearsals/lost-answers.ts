/**
 * Refunds 10,000 rows with `turnpike bulk`, at a gateway that loses one answer in fifty after it has done its work:
 * `node test/rehearsals/lost-answers.ts`. The command is repeated as its exit code says, until every row is known. Exits with 1 if a row
 * stays unknown, or was refunded another number of times than once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Client, createClient, TurnpikeError } from '../../client/index.ts';
import makeScratch from '../setup/scratch.ts';
import { FIRST_KEY, type Stage, startStage } from './harness/stage.ts';

const PAYMENTS = 1000;
const REFUNDS_OF_EACH = 10;
const LOST_OF = 50;
const MAX_RUNS = 10;

const AMOUNT = '100.00';
const REFUND = '1.00';
const CARD = {
  ...{ card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' },
  ...{ first_name: 'Ada', last_name: 'Byron' },
};

/** The messages to the gateway, and how many answers were lost. */
type Wire = { isLosing: boolean; calls: number; lost: number };

/** Does what it is asked, and closes the connection in place of every fiftieth answer. */
function losing(app: RequestListener, wire: Wire): RequestListener {
  return (req, res) => {
    if (wire.isLosing) {
      wire.calls += 1;
      if (wire.calls % LOST_OF === 0) {
        wire.lost += 1;
        res.end = () => {
          req.socket.destroy();
          return res;
        };
      }
    }
    app(req, res);
  };
}

async function main(): Promise<boolean> {
  const wire: Wire = { isLosing: false, calls: 0, lost: 0 };
  const stage = await startStage({ store: 'postgres', relays: 1, gateway: (app) => losing(app, wire) });
  try {
    const transactions = await pay(stage.url);
    const file = join(stage.folder, 'refunds.csv');
    const rows = Array.from({ length: REFUNDS_OF_EACH }, () => transactions).flat();
    const lines = rows.map((transaction, at) => `${transaction},BRL,${AMOUNT},${REFUND},R-${at}`);
    writeFileSync(file, `${['transaction_id,currency,amount,refund_amount,reference', ...lines].join('\n')}\n`);
    const notifiedBefore = await notified(stage.url);
    wire.isLosing = true;
    const start = performance.now();
    let [runs, code] = [0, 1];
    while (code !== 0 && runs < MAX_RUNS) {
      runs += 1;
      code = await bulk(stage, file);
    }
    const seconds = (performance.now() - start) / 1000;
    const notifications = (await notified(stage.url)) - notifiedBefore;
    const booked = stage.gateway.books.refunds.list().length;
    console.log(`${rows.length} rows, ${wire.calls} messages to the gateway, ${wire.lost} answers lost`);
    console.log(
      `${runs} runs of the command, ${seconds.toFixed(0)} s, exit code ${code}; ${booked} refunds at the gateway`,
    );
    console.log(
      `${(booked / seconds).toFixed(1)} refunds a second; ${notifications} notifications arrived at the relay`,
    );
    return code === 0 && booked === rows.length;
  } finally {
    await stage.close();
  }
}

/** Makes approved payments and returns their transaction_ids. */
async function pay(url: string): Promise<string[]> {
  const client = createClient({ url, apiKey: FIRST_KEY });
  const orders = Array.from({ length: PAYMENTS }, (_, at) => `L-${at}`);
  const transactions: string[] = [];
  const left = orders.values();
  const payOrders = async (): Promise<void> => {
    for (const order_no of left) transactions.push(await payOrder(client, order_no));
  };
  await Promise.all(Array.from({ length: 10 }, payOrders));
  return transactions;
}

/** Makes one approved payment. A busy machine delays calls until they end without an answer, so they are repeated. */
async function payOrder(client: Client, order_no: string): Promise<string> {
  const order = { order_no, currency: 'BRL', amount: AMOUNT, ...CARD };
  for (let tried = 0; tried < 60; tried++) {
    try {
      const answer = await client.payments.create(order, { idempotencyKey: `pay-${order_no}` });
      if (answer.status === 'approved') return answer.transaction_id;
      const [payment] = (await client.orders.get(order_no)).payments;
      if (payment) return payment.transaction_id;
    } catch (error) {
      if (!(error instanceof TurnpikeError)) throw error;
    }
    await setTimeout(2000);
  }
  throw new Error(`${order_no} is not paid`);
}

/** How many notifications of the gateway arrived at the relay, repeated ones too. */
async function notified(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = metrics.matchAll(
    /^turnpike_http_request_duration_seconds_count\{[^}]*route="\/notify[^}]*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Runs the command once, and waits before the next run as a person would. */
async function bulk({ url }: Stage, file: string): Promise<number> {
  const args = ['cli/main.ts', 'bulk', 'refund', file, '--yes', '--json'];
  const env = { ...process.env, TURNPIKE_URL: url, TURNPIKE_API_KEY: FIRST_KEY };
  const child = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '../..'), env, stdio: 'pipe' });
  child.stdout.on('data', (data) => process.stdout.write(data));
  let errors = '';
  child.stderr.on('data', (data) => (errors += String(data)));
  const [code] = await once(child, 'close');
  if (code !== 0) console.log(errors.split('\n').slice(-4).join('\n'));
  if (code !== 0) await setTimeout(5000);
  return Number(code);
}

const removeScratch = makeScratch();
const passed = await main();
removeScratch();
process.exit(passed ? 0 : 1);
