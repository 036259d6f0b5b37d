import type { OperationName } from '../../../shared/gateway/operations.ts';
import type { After } from '../base/clock.ts';
import { type Merchant, merchantOf } from '../base/ids.ts';
import { type ArmedFaults, appliesTo, type FaultName, spelledFaults, triggersIn } from '../faults/faults.ts';
import { maskAddress, maskMessage } from '../messages/mask.ts';
import {
  type Notice,
  type NotificationBody,
  type NotificationShape,
  type Notify,
  notificationShapes,
  showNotification,
  signedFor,
  writeNotification,
} from './notices.ts';
import type { NotificationLog, Progress } from './notification-log.ts';

/** How notifications are sent. Durations are in milliseconds. */
export type NotifierOptions = {
  merchants: readonly Merchant[];
  armed: ArmedFaults;
  log: NotificationLog;
  now: () => Date;
  after: After;
  /** One shape for all, or the shapes in turn. */
  shape: NotificationShape | 'rotate';
  /** The pauses before the second and every further try. After the last one, a receiver without a 200 is given up. */
  backOffMs: readonly number[];
  /** The timeout of a receiver. */
  limitMs: number;
  /** The delay of a late notification, and the longest that one is held until another overtakes it. */
  lateMs: number;
};

type Job = { url: string; body: NotificationBody; progress: Progress };

const MAX_WAITING = 500;
const operationsOf: Record<Notice['kind'], readonly OperationName[]> = {
  payment: ['direct_payment', 'apm_payment'],
  recurring: ['direct_payment'],
  refund: ['refund'],
  payout: ['payout'],
};

/** Sends signed notifications to their notify_url, repeatedly until they are accepted with 200 or given up. */
export class Notifier {
  shape: NotifierOptions['shape'];
  readonly #options: NotifierOptions;
  #collected: Notice[] | undefined;
  /**
   * The notifications that wait for the next one of their order, by order. Each function removes its notification from here,
   * and returns another function, which sends it.
   */
  readonly #held = new Map<string, () => () => Promise<void>>();
  #waiting = 0;
  #turn = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.shape = options.shape;
  }

  /** Accepts a notification to send; returns at once. */
  readonly notify: Notify = (notice) => {
    if (this.#collected) this.#collected.push(notice);
    else this.#begin(notice);
  };

  /** Runs a function, and collects its notifications until `send` is called. */
  collect<Result>(run: () => Result): { result: Result; send: () => void } {
    const collected: Notice[] = [];
    this.#collected = collected;
    try {
      const result = run();
      const send = () => {
        for (const notice of collected.splice(0)) this.#begin(notice);
      };
      return { result, send };
    } finally {
      this.#collected = undefined;
    }
  }

  #begin(notice: Notice): void {
    const { armed, after, lateMs } = this.#options;
    const operations = operationsOf[notice.kind];
    const spelled = spelledFaults(triggersIn(notice.fields), 'notification', operations);
    const brought = notice.faults?.filter((fault) => appliesTo(fault, 'notification', operations)) ?? [];
    const faults = new Set([...spelled, ...brought, ...armed.take('notification', operations)]);
    const copies = faults.has('notification_duplicate') ? [notice, notice] : [notice];
    const jobs = copies.map((copy) => this.#prepare(copy, faults)).filter((job) => job !== undefined);
    if (jobs.length === 0) return;
    const start = async () => {
      for (const job of jobs) await this.#try(job, 0);
    };
    if (faults.has('notification_late')) after(lateMs, () => void start());
    else this.#inTurn(notice, faults.has('notification_reordered'), start);
  }

  /** Writes a notification into the log; undefined if it cannot or must not be sent. */
  #prepare(notice: Notice, faults: ReadonlySet<FaultName>): Job | undefined {
    const { merchants, log, now } = this.#options;
    const { url, account, kind } = notice;
    const shape = this.#nextShape();
    const merchant = merchantOf(merchants, account);
    if (!merchant) throw new TypeError('a notice of an account that is not ours');
    const message = signedFor(shape, { ...account, ...notice.fields }, merchant.signing_secret);
    const masked = maskMessage(message, Object.keys(message));
    const progress = log.add({
      at: now(),
      kind,
      order_no: String(masked.order_no ?? masked.request_id ?? ''),
      url: maskAddress(url),
      shape,
      body: showNotification(shape, masked),
      faults: [...faults],
    });
    const why = this.#whyNot(url, faults);
    if (why !== undefined) return void progress.ended({ state: 'dropped', why });
    this.#waiting += 1;
    return { url, body: writeNotification(shape, message), progress };
  }

  #whyNot(url: string, faults: ReadonlySet<FaultName>): string | undefined {
    if (faults.has('notification_lost')) return 'lost on purpose';
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return 'notify_url is no http or https address';
    if (this.#waiting >= MAX_WAITING) return `${MAX_WAITING} others are waiting already`;
    return undefined;
  }

  /** Makes one try. A timer makes the next ones. */
  async #try(job: Job, tries: number): Promise<void> {
    const { now, after, backOffMs, limitMs } = this.#options;
    const at = now();
    const delivery = await deliver(job.url, job.body, limitMs);
    job.progress.tried({ at, ...delivery });
    const wait = backOffMs[tries];
    const taken = 'status' in delivery && delivery.status === 200;
    if (!taken && wait !== undefined) return void after(wait, () => void this.#try(job, tries + 1));
    this.#waiting -= 1;
    job.progress.ended({ state: taken ? 'delivered' : 'given_up' });
  }

  /**
   * Starts a notification, and after it the one of the same order that is held. If the fault says that the next notification
   * overtakes it, and none is held, it is held instead.
   */
  #inTurn({ account, order_no }: Notice, overtaken: boolean, start: () => Promise<void>): void {
    const order = JSON.stringify([account.merchant_id, account.account_id, order_no]);
    const release = this.#held.get(order)?.();
    if (release || !overtaken) return void start().then(release);
    const { after, lateMs } = this.#options;
    const callOff = after(lateMs, () => {
      this.#held.delete(order);
      void start();
    });
    this.#held.set(order, () => {
      callOff();
      this.#held.delete(order);
      return start;
    });
  }

  #nextShape(): NotificationShape {
    if (this.shape !== 'rotate') return this.shape;
    const shape = notificationShapes[this.#turn % notificationShapes.length] ?? 'json';
    this.#turn += 1;
    return shape;
  }
}

/** A receiver's answer, or why there is none. */
type Delivery = { status: number; body: string } | { failure: string };

const MAX_READ_LENGTH = 2000;

/**
 * Sends one notification. It follows no redirect, reads only the beginning of the answer, and waits at most `limitMs`.
 * Never throws.
 */
async function deliver(url: string, body: NotificationBody, limitMs: number): Promise<Delivery> {
  try {
    const isGet = body.method === 'GET';
    const response = await fetch(isGet ? `${url}${url.includes('?') ? '&' : '?'}${body.text}` : url, {
      method: body.method,
      ...(isGet ? {} : { headers: { 'Content-Type': body.type }, body: body.text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    return { status: response.status, body: await beginning(response) };
  } catch (error) {
    return { failure: reasonOf(error, limitMs) };
  }
}

async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_READ_LENGTH) return `${text.slice(0, MAX_READ_LENGTH)}…`;
  }
  return text;
}

/** Only the error's code, because its message may contain the address with the token. */
function reasonOf(error: unknown, limitMs: number): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${limitMs} ms`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'the connection failed';
}
