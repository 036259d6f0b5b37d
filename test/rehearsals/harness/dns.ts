import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server with one name, whose address is 127.0.0.1. */
export type DnsServer = {
  address: string;
  /** With true, the server does not answer queries from now on. */
  silence(isSilent: boolean): void;
  unanswered(): number;
  close(): Promise<void>;
};

/** The resolver of the C library uses only port 53. */
const [ADDRESS, PORT] = ['127.0.0.9', 53];

/** Starts the server. Needs root, or a system that lets other users listen on port 53. */
export async function startDns(name: string): Promise<DnsServer> {
  const socket = createSocket('udp4');
  let [isSilent, unanswered] = [false, 0];
  socket.on('message', (query, { port, address }) => {
    if (isSilent) unanswered += 1;
    else socket.send(answerTo(query, name), port, address);
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

/** The answer (RFC 1035): the address for a query of type A for the name, no record for other types, NXDOMAIN for other names. */
function answerTo(query: Buffer, name: string): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  const isKnown = labels.join('.').toLowerCase() === name;
  const hasAddress = isKnown && query.readUInt16BE(at + 1) === TYPE_A;
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  for (const [index, count] of [1, hasAddress ? 1 : 0, 0, 0].entries()) header.writeUInt16BE(count, 4 + index * 2);
  // A pointer to the name of the query, type A, class IN, a TTL of 0, and four bytes of address.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...(hasAddress ? [record] : [])]);
}
