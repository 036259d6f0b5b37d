import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { buildConnector, errors, Pool } from 'undici';

/** One HTTP exchange with the gateway, and how sure we are that the gateway did not get the message. */
export type Exchange =
  | { kind: 'not_sent' }
  | { kind: 'lost'; reason: 'timeout' | 'connection_lost' | 'answer_too_large' | 'unreadable_encoding' }
  | { kind: 'answered'; status: number; body: Buffer };

/** The most bytes of an answer that are read, before and after decompression. */
const MAX_ANSWER_BYTES = 1_048_576;

/** Raised by the connector alone, so that it proves that nothing was written to any socket. */
class NeverConnected extends Error {
  override readonly name = 'NeverConnected';
  readonly code = 'never_connected';
}

export type Client = {
  /** The end of the time that one call has, with all its tries. */
  deadline(): AbortSignal;
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
  const connect = buildConnector({ timeout: Math.min(10_000, Math.ceil(options.timeoutMs / 2)) });
  const pool = new Pool(base.origin, {
    // A connection for each call: one that had to wait for another's might time out without being sent.
    connections: null,
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    connect: (target, callback) =>
      connect(target, (...result) => {
        if (result[0]) callback(new NeverConnected('no connection', { cause: result[0] }), null);
        else callback(null, result[1]);
      }),
  });
  return {
    deadline: () => AbortSignal.timeout(options.timeoutMs),
    async post(path, contentType, body, signal) {
      try {
        const answer = await pool.request({
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
  if (error instanceof NeverConnected || error instanceof errors.InvalidArgumentError) return { kind: 'not_sent' };
  const timedOut =
    signal.aborted || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  return { kind: 'lost', reason: timedOut ? 'timeout' : 'connection_lost' };
}
