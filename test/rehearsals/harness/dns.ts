import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server that knows one name, 127.0.0.1. */
export type DnsServer = {
  address: string;
  /** Whether it leaves questions unanswered from now on. */
  silence(isSilent: boolean): void;
  unanswered(): number;
  close(): Promise<void>;
};

/** The resolver of the C library asks port 53 alone. */
const [ADDRESS, PORT] = ['127.0.0.9', 53];

/** Starts it. Needs root, or a system that gives port 53 to other users. */
export async function startDns(name: string): Promise<DnsServer> {
  const socket = createSocket('udp4');
  let [isSilent, unanswered] = [false, 0];
  socket.on('message', (question, { port, address }) => {
    if (isSilent) unanswered += 1;
    else socket.send(answerTo(question, name), port, address);
  });
  socket.bind(PORT, ADDRESS);
  await once(socket, 'listening').catch((error: unknown) => {
    throw new Error(`needs UDP port ${PORT} of ${ADDRESS}: run it as root`, { cause: error });
  });
  return {
    address: ADDRESS,
    silence(value) {
      isSilent = value;
    },
    unanswered: () => unanswered,
    close: () => new Promise((done) => socket.close(() => done())),
  };
}

const HEADER_BYTES = 12;
const TYPE_A = 1;

/** An answer (RFC 1035): the address for a question of type A about the name, no such name for others. */
function answerTo(question: Buffer, name: string): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  const isKnown = labels.join('.').toLowerCase() === name;
  const hasAddress = isKnown && question.readUInt16BE(at + 1) === TYPE_A;
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  for (const [index, count] of [1, hasAddress ? 1 : 0, 0, 0].entries()) header.writeUInt16BE(count, 4 + index * 2);
  // The name of the question, type A, class IN, no time to live, and four bytes of address.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...(hasAddress ? [record] : [])]);
}
