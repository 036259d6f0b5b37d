import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { OperationName, Verify } from '../../../shared/gateway/operations.ts';
import type { Permit } from '../../base/semaphore.ts';
import type { Deadline } from '../client.ts';
import type { Signing } from '../signing/signing-setting.ts';
import type { AnswerFault } from './read-answer.ts';

/** The request to the reading thread. It is copied; the blocks are moved. */
export type Reading = {
  name: OperationName;
  contentType: string;
  signing: Signing;
  verify: Readonly<Record<string, Verify>>;
  secret: string;
  own: string;
};

/** A long answer as the shop may see it, and the account that it names. Its permit is held until `release` is called. */
export type LongAnswer = {
  json: Uint8Array;
  identity: { merchant_id?: unknown; account_id?: unknown };
  release(): void;
};

/** The reply of the thread. */
export type ReadInThread = AnswerFault | Omit<LongAnswer, 'release'>;

/** Ten times the longest answer. A thread that needs more is ended. */
const MAX_HEAP_MB = 1024;

/**
 * Reads a long answer in a thread of its own, so that it does not delay payments: checks it like any other answer, removes card data, and
 * writes it as JSON again. The thread is ended at the deadline, or if it needs too much memory.
 */
export async function readLongAnswer(
  { blocks, permit }: { blocks: Buffer<ArrayBuffer>[]; permit: Permit },
  reading: Reading,
  { endsAt }: Deadline,
): Promise<LongAnswer | AnswerFault | 'timeout' | 'answer_too_large'> {
  const worker = new Worker(join(import.meta.dirname, 'long-answer-thread.ts'), {
    workerData: { ...reading, blocks },
    transferList: blocks.map(({ buffer }) => buffer),
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const timer = setTimeout(() => worker.terminate(), endsAt - performance.now());
  let read: ReadInThread | 'timeout' | 'answer_too_large' = 'timeout';
  try {
    read = await firstOf(worker);
  } catch (error) {
    const needsMore = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (!needsMore) throw error;
    read = 'answer_too_large';
  } finally {
    clearTimeout(timer);
    worker.terminate();
    if (typeof read === 'string') permit.release();
  }
  return typeof read === 'string' ? read : { ...read, release: () => permit.release() };
}

/** The thread's message, or `timeout` if the thread is ended without one. Throws the error that the thread ends with. */
function firstOf(worker: Worker): Promise<ReadInThread | 'timeout'> {
  return new Promise((settle, fail) => {
    worker.once('message', settle);
    worker.once('error', fail);
    worker.once('exit', () => settle('timeout'));
  });
}
