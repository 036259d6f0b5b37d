import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { buildConnector, type Dispatcher, errors, Pool } from 'undici';

/** One HTTP exchange with the gateway, and how sure we are that the gateway did not get the message. */
export type Exchange =
  | { kind: 'not_sent' }
  | { kind: 'lost'; reason: 'timeout' | 'connection_lost' | 'answer_too_large' | 'unreadable_encoding' }
  | { kind: 'answered'; status: number; body: Buffer };

/** The most bytes of an answer that are read, before and after decompression. */
const MAX_ANSWER_BYTES = 1_048_576;

/** The call ended before it had a connection, which proves that not a byte of it was written to any socket. */
class NothingWritten extends Error {
  override readonly name = 'NothingWritten';
  readonly code = 'nothing_written';
}

/** Tells a call that ended before its first byte was written from one that the gateway may have got. */
function proving(handler: Dispatcher.DispatchHandler, latest: number): Dispatcher.DispatchHandler {
  let isWritten = false;
  return {
    onRequestStart(controller, context) {
      // A call whose time was over while it waited for its connection ends in here.
      handler.onRequestStart?.(controller, context);
      // Where the whole process was stopped, a connection may be heard of before the timer that should have ended the call.
      if (Date.now() > latest) controller.abort(new NothingWritten('too late'));
      isWritten = true;
    },
    onResponseStart: (...answer) => handler.onResponseStart?.(...answer),
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError(controller, error) {
      handler.onResponseError?.(controller, isWritten ? error : new NothingWritten('no connection', { cause: error }));
    },
  };
}

export type Client = {
  /** The end of the time that one call has, with all its tries; sooner where that is given. */
  deadline(withinMs?: number): AbortSignal;
  /** Sends one POST. `path` is appended to the base URL. Never throws, never follows a redirect, never repeats. */
  post(path: string, contentType: string, body: string, deadline: AbortSignal): Promise<Exchange>;
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
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connect: buildConnector({ timeout: Math.min(10_000, Math.ceil(options.timeoutMs / 2)) }),
  });
  // By the clock on the wall: a process that is stopped for a while does not hear its timers in that time.
  const latest = new WeakMap<AbortSignal, number>();
  return {
    deadline(withinMs = options.timeoutMs) {
      const signal = AbortSignal.timeout(Math.min(withinMs, options.timeoutMs));
      latest.set(signal, Date.now() + options.timeoutMs);
      return signal;
    },
    async post(path, contentType, body, signal) {
      const end = latest.get(signal) ?? Date.now() + options.timeoutMs;
      const connections = pool.compose((dispatch) => (call, handler) => dispatch(call, proving(handler, end)));
      try {
        const answer = await connections.request({
          path: `${prefix}${path}`,
          method: 'POST',
          headers: { ...options.headers, 'content-type': contentType },
          body,
          signal,
        });
        const encoding = answer.headers['content-encoding'];
        return decoded(answer.statusCode, await readBody(answer.body), encoding);
      } catch (error) {
        return failed(error, signal);
      }
    },
    close: () => pool.close(),
  };
}

async function readBody(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decoded(status: number, body: Buffer | undefined, encoding: string | string[] | undefined): Exchange {
  if (!body) return { kind: 'lost', reason: 'answer_too_large' };
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

function failed(error: unknown, signal: AbortSignal): Exchange {
  if (error instanceof NothingWritten || error instanceof errors.InvalidArgumentError) return { kind: 'not_sent' };
  const timedOut =
    signal.aborted || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  return { kind: 'lost', reason: timedOut ? 'timeout' : 'connection_lost' };
}
