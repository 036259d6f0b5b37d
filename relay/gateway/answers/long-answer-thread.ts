import { parentPort, workerData } from 'node:worker_threads';
import { maskMessage } from '../../../shared/card-data/message.ts';
import { createSigner } from '../signing/signer.ts';
import type { ReadInThread, Reading } from './long-answer.ts';
import { readAnswer } from './read-answer.ts';

/** The thread that reads one long answer and ends. */
const { blocks, ...reading }: Reading & { blocks: Uint8Array[] } = workerData;
const read = await shopAnswer(reading, Buffer.concat(blocks.splice(0)));
parentPort?.postMessage(read, typeof read === 'string' ? [] : [read.json.buffer]);

async function shopAnswer(
  { name, contentType, signing, verify, secret, own }: Reading,
  bytes: Uint8Array,
): Promise<ReadInThread & (string | { json: Uint8Array<ArrayBuffer> })> {
  const signer = await createSigner(signing);
  const answer = await readAnswer(name, { bytes, contentType }, { signer, verify, secret, own });
  if (typeof answer === 'string') return answer;
  const { message } = answer;
  const { merchant_id, account_id } = message;
  return {
    json: new TextEncoder().encode(JSON.stringify(maskMessage(message))),
    identity: { merchant_id, account_id },
  };
}
