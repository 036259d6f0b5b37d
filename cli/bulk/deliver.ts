import {
  type Answered,
  type Client,
  type FieldError,
  RelayAnswerUnusable,
  RelayRefused,
  RelayUnreachable,
} from '../../client/index.ts';
import { operations } from '../../shared/gateway/operations.ts';
import type { Io } from '../base/io.ts';
import type { BatchLayout, Layout } from './file/layout.ts';
import type { ChunkRecord } from './journal/records.ts';
import { rowRefusal, type Settled, settle } from './settle/send.ts';
import type { Stop } from './stop.ts';

/** The relay's answer about one chunk. */
type Delivered =
  /** The chunk was sent, now or before: the operation has its outcome. */
  | { kind: 'operation'; id: string; isReplayed: boolean }
  /** The relay has the decision of the chunk. */
  | ({ kind: 'settled' } & Settled)
  /** Nothing was sent, because an earlier operation has one of the items. */
  | { kind: 'reference_used'; operation: string; index: number | undefined }
  /** Nothing was sent, because of these items: the errors by index. */
  | { kind: 'items_refused'; messages: ReadonlyMap<number, string> }
  /** Nothing was sent: the key belongs to a deleted operation. */
  | { kind: 'key_reused'; error: RelayRefused }
  /** Nothing was sent, and other chunks would fail in the same way. */
  | { kind: 'not_sent'; error: RelayRefused; isOfItems: boolean }
  /** It may have been sent. */
  | { kind: 'no_answer'; error: unknown };

export type Sender = { client: Client; posts: Posts; layout: Layout; io: Pick<Io, 'wait'>; stop: Stop };

/** The number of tries for each key, including the client's retries. */
type Posts = { fetch: Io['fetch']; count(key: string): number; take(key: string): number };

/** Counts the tries. Only a first try that is answered as a repetition shows an earlier run. */
export function countPosts(fetch: Io['fetch']): Posts {
  const counts = new Map<string, number>();
  const count = (key: string): number => counts.get(key) ?? 0;
  return {
    fetch(url, init) {
      const key = new Headers(init.headers).get('idempotency-key');
      if (key !== null) counts.set(key, count(key) + 1);
      return fetch(url, init);
    },
    count,
    take(key) {
      const taken = count(key);
      counts.delete(key);
      return taken;
    },
  };
}

/** The pauses between tries after temporary faults: an outage, a rate limit. The client also retries each of them. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];

/** Sends a chunk until the relay reports its result, always with the same key and the same bytes. */
export async function deliver(chunk: ChunkRecord, sender: Sender): Promise<Delivered> {
  const { io, stop, layout } = sender;
  for (let tried = 0; ; tried++) {
    try {
      const delivered =
        layout.name === 'settle' ? await postDecision(chunk, sender) : await post(chunk, sender, layout);
      // There was no try if the relay already had the decision of the chunk.
      const isFirst = sender.posts.take(chunk.key) <= 1;
      return 'isReplayed' in delivered ? { ...delivered, isReplayed: isFirst && delivered.isReplayed } : delivered;
    } catch (error) {
      const pause = PAUSES_MS[tried];
      if (pause === undefined || stop.isStopping || !mayPass(error)) return readRefusal(error, layout);
      await stop.pause(io.wait(pause));
    }
  }
}

async function postDecision(chunk: ChunkRecord, { client, posts }: Sender): Promise<Delivered> {
  return { kind: 'settled', ...(await settle(chunk, client, posts.count(chunk.key) > 0)) };
}

async function post(chunk: ChunkRecord, { client }: Sender, layout: BatchLayout): Promise<Delivered> {
  const { operationId, replayed } = await postBatch(chunk, client, layout);
  if (operationId !== undefined) return { kind: 'operation', id: operationId, isReplayed: replayed };
  const route = operations[layout.name].route.path;
  return { kind: 'no_answer', error: new RelayAnswerUnusable({ method: 'POST', route }, 200, ['X-Operation-Id']) };
}

function postBatch(
  { key, items, references }: ChunkRecord,
  client: Client,
  layout: BatchLayout,
): Promise<Answered<unknown>> {
  const body = { [layout.list]: items, references };
  const options = { idempotencyKey: key };
  switch (layout.name) {
    case 'refund':
      return client.refund(operations.refund.route.body.parse(body), options).withMeta();
    case 'capture':
      return client.capture(operations.capture.route.body.parse(body), options).withMeta();
    case 'cancel':
      return client.cancel(operations.cancel.route.body.parse(body), options).withMeta();
    case 'review':
      return client.review(operations.review.route.body.parse(body), options).withMeta();
  }
}

/** Whether the same request may get another answer later. */
function mayPass(error: unknown): boolean {
  if (error instanceof RelayUnreachable) return true;
  if (error instanceof RelayAnswerUnusable) return error.status === 429 || error.status >= 500;
  if (!(error instanceof RelayRefused) || error.code === 'relay_paused') return false;
  return error.code === 'in_progress' || [408, 429, 500, 503].includes(error.status);
}

/** The codes of requests that were sent or may have been: the operation has the outcome. */
const SENT = new Set(['outcome_unknown', 'operation_settled', 'gateway_refused', 'in_progress']);

/** The codes of requests that the relay refused before sending. */
const NOT_SENT = new Set([
  ...['unauthorized', 'missing_scope', 'not_found', 'method_not_allowed'],
  ...['operation_not_configured', 'gateway_unreachable', 'relay_paused'],
]);

/** The codes of a request whose form is wrong. */
const FORM = new Set([
  ...['invalid_request', 'transaction_id_form', 'refund_exceeds_payment'],
  ...['batch_too_large', 'body_too_large'],
]);

function readRefusal(error: unknown, layout: Layout): Delivered {
  const ofRow = layout.name === 'settle' ? rowRefusal(error) : undefined;
  if (ofRow !== undefined) return { kind: 'items_refused', messages: new Map([[0, ofRow]]) };
  if (!(error instanceof RelayRefused)) return { kind: 'no_answer', error };
  const { code } = error;
  if (code === 'idempotency_key_reused') return { kind: 'key_reused', error };
  const ofBatch = layout.name === 'settle' ? undefined : readBatchRefusal(error, layout);
  if (ofBatch) return ofBatch;
  if (NOT_SENT.has(code)) return { kind: 'not_sent', error, isOfItems: false };
  return { kind: 'no_answer', error };
}

function readBatchRefusal(error: RelayRefused, { list }: BatchLayout): Delivered | undefined {
  const { code, operationId, errors } = error;
  if (SENT.has(code) && operationId !== undefined) return { kind: 'operation', id: operationId, isReplayed: false };
  if (code === 'reference_used' && operationId !== undefined) {
    return { kind: 'reference_used', operation: operationId, index: [...byItem(errors, list).keys()][0] };
  }
  if (!FORM.has(code)) return undefined;
  const messages = byItem(errors, list);
  if (messages.size > 0) return { kind: 'items_refused', messages };
  return { kind: 'not_sent', error, isOfItems: true };
}

/** The fault of each item, by its index in the request. */
function byItem(errors: readonly FieldError[], list: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const { path, message } of errors) {
    const [field, index = '', ...rest] = path.split('.');
    if ((field !== list && field !== 'references') || !/^\d{1,3}$/.test(index)) continue;
    const column = field === list ? rest.join('.') : 'reference';
    const before = found.get(Number(index));
    found.set(Number(index), `${before === undefined ? '' : `${before}; `}${column}${column && ': '}${message}`);
  }
  return found;
}
