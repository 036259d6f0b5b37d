import { connect } from 'node:net';
import { type TcpServer, tcpServer } from '../http/tcp-server.ts';

/** The messages to a PostgreSQL server: the names of its statements, or their texts, and the number of round trips. */
type Traffic = { statements: string[]; exchanges: number };

/** A proxy before a PostgreSQL server. `address` connects through it; `count` starts a new count. */
type TrafficCounter = { address: string; count(): Traffic; close(): Promise<void> };

/** Counts what clients send to a database. */
export async function countTraffic(address: string): Promise<TrafficCounter> {
  const url = new URL(address);
  const [port, host] = [Number(url.port), url.hostname];
  let traffic: Traffic = { statements: [], exchanges: 0 };
  const proxy: TcpServer = await tcpServer((client) => {
    const server = connect(port, host);
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    const read = statementReader((statement) => traffic.statements.push(statement));
    let isAnswered = true;
    client.on('data', (bytes: Buffer) => {
      if (isAnswered) traffic.exchanges += 1;
      isAnswered = false;
      read(bytes);
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      isAnswered = true;
      client.write(bytes);
    });
  });
  url.port = String(proxy.port);
  return {
    address: url.href,
    count: () => {
      traffic = { statements: [], exchanges: 0 };
      return traffic;
    },
    close: proxy.close,
  };
}

/** Reads a client's messages and reports each that runs a statement: `B` names one, `Q` is its text. */
function statementReader(report: (statement: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  // The first message has no type.
  let typeLength = 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= typeLength + 4) {
      const length = typeLength + rest.readInt32BE(typeLength);
      if (rest.length < length) return;
      const [type, message] = [rest.toString('latin1', 0, typeLength), rest.subarray(typeLength + 4, length)];
      rest = rest.subarray(length);
      typeLength = 1;
      const [first = '', second = ''] = message.toString('latin1').split('\0', 2);
      if (type === 'Q') report(first);
      if (type === 'B') report(second);
    }
  };
}
