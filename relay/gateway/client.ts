import type { Transform } from 'node:stream';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import { systemCode } from '../base/outages.ts';
import { createSemaphore, type Permit } from '../base/semaphore.ts';
import { createAnswerBytes, MAX_ANSWER_BYTES, TooLarge, unpackerOf } from './answer-bytes.ts';

/** Why it is unknown whether the gateway received a message. */
export const lostReasons = ['timeout', 'connection_lost', 'answer_too_large', 'unreadable_encoding'] as const;

type LostReason = (typeof lostReasons)[number];

/** One HTTP exchange with the gateway, and whether the gateway may have received the message. */
export type Exchange =
  /** `code` is the code of the system or of TLS. */
  | { kind: 'not_sent'; code?: string }
  | { kind: 'lost'; reason: LostReason; code?: string }
  | { kind: 'answered'; status: number; contentType: string; body: Buffer }
  /** A long answer, if it was allowed. `permit` is held until it is released. */
  | { kind: 'answered_at_length'; status: number; contentType: string; blocks: Buffer<ArrayBuffer>[]; permit: Permit };

/** The deadline of one call with all its tries. */
export type Deadline = {
  /** On the clock of timers, `performance.now()`. */
  readonly endsAt: number;
  /** On the clock of `Date.now()`: timers do not run while the process is suspended. */
  readonly latest: number;
};

/** The deadline of a call that begins now: after `timeoutMs`, or after `withinMs` if that is shorter. */
export function deadlineIn(timeoutMs: number, withinMs = timeoutMs): Deadline {
  return { endsAt: performance.now() + Math.min(withinMs, timeoutMs), latest: Date.now() + timeoutMs };
}

/** Whether no time is left. */
export function isOver({ endsAt }: Deadline): boolean {
  return performance.now() >= endsAt;
}

/** One POST: `path` is appended to the base URL, `headers` are added to the client's own. */
type Post = {
  path: string;
  contentType: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** The maximum bytes of the answer, before and after decompression; `MAX_ANSWER_BYTES` if left out. */
  maxBytes?: number;
  /** The account of the message: each has one long answer in memory at a time. */
  owner?: string;
};

export type Client = {
  /** Returns the deadline of a call that begins now, with all its tries; after `withinMs` if that is shorter. */
  deadline(withinMs?: number): Deadline;
  /** Sends one POST. Never throws, never follows a redirect, never repeats. */
  post(post: Post, deadline: Deadline): Promise<Exchange>;
  close(): Promise<void>;
};

/** The maximum number of long answers in memory at a time, until they are read and passed on. */
const MAX_LONG_ANSWERS = 2;

/** A keep-alive client for one gateway; `timeoutMs` bounds each whole call. */
export function createClient(options: {
  baseUrl: string;
  timeoutMs: number;
  headers: Readonly<Record<string, string>>;
}): Client {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const semaphore = createSemaphore(MAX_LONG_ANSWERS);
  const pool = new Pool(base.origin, {
    // A connection for each call: a call that waited for the connection of another one might time out unsent.
    connections: null,
    // Each call has one timer of its own, from its beginning to its end.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector({ timeout: Math.min(10_000, Math.ceil(options.timeoutMs / 2)) }),
  });
  return {
    deadline: (withinMs) => deadlineIn(options.timeoutMs, withinMs),
    post({ path, contentType, body, headers = {}, maxBytes = MAX_ANSWER_BYTES, owner = '' }, deadline) {
      return new Promise((settle) => {
        const handler = exchangeHandler(deadline, maxBytes, () => semaphore.acquire(owner), settle);
        const all = { ...withOwn(options.headers, headers), 'content-type': contentType };
        pool.dispatch({ path: `${prefix}${path}`, method: 'POST', headers: all, body }, handler);
      });
    },
    close: () => pool.close(),
  };
}

/** Headers of one account before those of all; their names are compared as HTTP does. */
function withOwn(all: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const others = Object.entries(all).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...own };
}

/**
 * Reads one exchange, and distinguishes a call that ended before its first byte was written from one that the gateway
 * may have received. It needs no stream and no AbortSignal for each call, which would cost as much as the exchange
 * (`npm run bench -- relay`).
 */
function exchangeHandler(
  deadline: Deadline,
  maxBytes: number,
  acquire: () => Promise<Permit>,
  settle: (exchange: Exchange) => void,
): Dispatcher.DispatchHandler {
  let started: Dispatcher.DispatchController | undefined;
  let isTooLate = false;
  let isReceived = false;
  const answer = createAnswerBytes(maxBytes, acquire);
  // Timers fire up to two milliseconds early: then time would seem to remain for another try.
  const leftMs = Math.ceil(deadline.endsAt - performance.now()) + 1;
  const timer = setTimeout(() => {
    isTooLate = true;
    if (isReceived) lose('timeout');
    else if (started) started.abort(new CallEnded('too late'));
    // The call still waits for its connection, and is not sent on it later.
    else end({ kind: 'not_sent', code: 'ETIMEDOUT' });
  }, leftMs);
  const end = (exchange: Exchange): void => {
    clearTimeout(timer);
    if (exchange.kind !== 'answered_at_length') answer.drop();
    settle(exchange);
  };
  const lose = (reason: LostReason, code?: string): void => {
    end({ kind: 'lost', reason, ...(code === undefined ? {} : { code }) });
    unpacker?.destroy();
    if (!isReceived) started?.abort(new CallEnded(reason));
  };
  let status = 0;
  let contentType = '';
  let received = 0;
  let unpacker: Transform | undefined;
  const finish = (): void => {
    const { blocks, permit } = answer.whole();
    if (permit) end({ kind: 'answered_at_length', status, contentType, blocks, permit });
    else end({ kind: 'answered', status, contentType, body: Buffer.concat(blocks) });
  };
  const keep = async (source: AsyncIterable<Buffer>): Promise<void> => {
    try {
      for await (const piece of source) await answer.add(piece);
      finish();
    } catch (error) {
      lose(error instanceof TooLarge ? 'answer_too_large' : 'unreadable_encoding');
    }
  };
  return {
    onRequestStart(controller) {
      // After a suspension of the process, a connection may be reported before the timer that should have ended the call.
      if (isTooLate || Date.now() > deadline.latest) controller.abort(new CallEnded('too late'));
      else started = controller;
    },
    onResponseStart(_controller, statusCode, headers) {
      status = statusCode;
      contentType = String(headers['content-type'] ?? '');
      const found = unpackerOf(headers['content-encoding']);
      if (found === 'unknown') return lose('unreadable_encoding');
      unpacker = found;
      if (unpacker) keep(unpacker);
    },
    onResponseData(controller, chunk) {
      received += chunk.length;
      if (received > maxBytes) return lose('answer_too_large');
      const waiting = unpacker ? written(unpacker, chunk) : answer.add(chunk);
      if (!waiting) return;
      controller.pause();
      waiting.then(() => controller.resume());
    },
    onResponseEnd() {
      isReceived = true;
      if (unpacker) unpacker.end();
      else finish();
    },
    onResponseError(_controller, error) {
      const code = systemCode(error);
      if (!started) end({ kind: 'not_sent', ...(code === undefined ? {} : { code }) });
      else if (isTooLate) lose('timeout');
      else lose('connection_lost', code);
    },
  };
}

/** Writes a piece. Returns a promise to wait for if the stream has no room for the next one. */
function written(unpacker: Transform, piece: Buffer): Promise<void> | undefined {
  if (unpacker.write(piece)) return undefined;
  return new Promise((done) => {
    unpacker.once('drain', done).once('close', done);
  });
}

/** The reason with which the relay ends a call. */
class CallEnded extends Error {
  override readonly name = 'CallEnded';
  readonly code = 'call_ended';
}
