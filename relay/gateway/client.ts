import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { buildConnector, type Dispatcher, Pool } from 'undici';

/** One HTTP exchange with the gateway, and how sure we are that the gateway did not get the message. */
export type Exchange =
  | { kind: 'not_sent' }
  | { kind: 'lost'; reason: 'timeout' | 'connection_lost' | 'answer_too_large' | 'unreadable_encoding' }
  | { kind: 'answered'; status: number; body: Buffer };

/** The most bytes of an answer that are read, before and after decompression. */
const MAX_ANSWER_BYTES = 1_048_576;

/** The end of the time that one call has, with all its tries. */
export type Deadline = {
  /** By the clock of timers, `performance.now()`. */
  readonly endsAt: number;
  /** By the clock on the wall: a process that is stopped for a while does not hear its timers in that time. */
  readonly latest: number;
};

/** True when no time is left. */
export function isOver({ endsAt }: Deadline): boolean {
  return performance.now() >= endsAt;
}

export type Client = {
  /** The end of the time that one call has, with all its tries; sooner where that is given. */
  deadline(withinMs?: number): Deadline;
  /** Sends one POST. `path` is appended to the base URL. Never throws, never follows a redirect, never repeats. */
  post(path: string, contentType: string, body: string, deadline: Deadline): Promise<Exchange>;
  close(): Promise<void>;
};

/** A keep-alive client for one gateway; `timeoutMs` bounds each whole call. */
export function createClient(options: {
  baseUrl: string;
  timeoutMs: number;
  headers: Readonly<Record<string, string>>;
}): Client {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    // A connection for each call: one that had to wait for another's might time out without being sent.
    connections: null,
    // Each call has one timer of its own, from its beginning to its end.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector({ timeout: Math.min(10_000, Math.ceil(options.timeoutMs / 2)) }),
  });
  return {
    deadline: (withinMs = options.timeoutMs) => ({
      endsAt: performance.now() + Math.min(withinMs, options.timeoutMs),
      latest: Date.now() + options.timeoutMs,
    }),
    post(path, contentType, body, deadline) {
      const headers = { ...options.headers, 'content-type': contentType };
      return new Promise((settle) => {
        const handler = exchangeHandler(deadline, settle);
        pool.dispatch({ path: `${prefix}${path}`, method: 'POST', headers, body }, handler);
      });
    },
    close: () => pool.close(),
  };
}

/**
 * Reads one exchange, and tells a call that ended before its first byte was written from one that the gateway may have got.
 * A handler of its own, without a stream and an AbortSignal for each call, because those cost as much as the exchange
 * (`npm run bench -- relay`).
 */
function exchangeHandler(deadline: Deadline, settle: (exchange: Exchange) => void): Dispatcher.DispatchHandler {
  let started: Dispatcher.DispatchController | undefined;
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    // A call that waits for its connection is not started: it ends when the connection is there, or cannot be had.
    started?.abort(new CallEnded('too late'));
  }, deadline.endsAt - performance.now());
  const end = (exchange: Exchange): void => {
    clearTimeout(timer);
    settle(exchange);
  };
  let status = 0;
  let encoding: string | string[] | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    onRequestStart(controller) {
      // Where the whole process was stopped, a connection may be heard of before the timer that should have ended the call.
      if (isTooLate || Date.now() > deadline.latest) controller.abort(new CallEnded('too late'));
      else started = controller;
    },
    onResponseStart(_controller, statusCode, headers) {
      status = statusCode;
      encoding = headers['content-encoding'];
    },
    onResponseData(controller, chunk) {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_ANSWER_BYTES) return;
      end({ kind: 'lost', reason: 'answer_too_large' });
      controller.abort(new CallEnded('answer too large'));
    },
    onResponseEnd: () => end(decoded(status, Buffer.concat(chunks), encoding)),
    onResponseError() {
      if (!started) end({ kind: 'not_sent' });
      else end({ kind: 'lost', reason: isTooLate ? 'timeout' : 'connection_lost' });
    },
  };
}

/** Why a call was ended by us. */
class CallEnded extends Error {
  override readonly name = 'CallEnded';
  readonly code = 'call_ended';
}

function decoded(status: number, body: Buffer, encoding: string | string[] | undefined): Exchange {
  const limit = { maxOutputLength: MAX_ANSWER_BYTES };
  try {
    switch (encoding) {
      case undefined:
      case 'identity':
        return { kind: 'answered', status, body };
      case 'gzip':
      case 'x-gzip':
        return { kind: 'answered', status, body: gunzipSync(body, limit) };
      case 'deflate':
        return { kind: 'answered', status, body: inflateSync(body, limit) };
      case 'br':
        return { kind: 'answered', status, body: brotliDecompressSync(body, limit) };
      default:
        return { kind: 'lost', reason: 'unreadable_encoding' };
    }
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { kind: 'lost', reason: tooLarge ? 'answer_too_large' : 'unreadable_encoding' };
  }
}
