import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

/** An HTTP request, and the address of its client. */
export type HttpRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  from: string;
};

export type HttpAnswer = { status: number; headers: ReadonlyMap<string, string>; text: string };

/** A running request. A client that disconnects gets no answer. */
export type Exchange = { answer: Promise<HttpAnswer | undefined>; hangUp(): void };

/** Sends a request to a server that does not listen, over a connection in memory. */
export function exchange(server: Server, request: HttpRequest): Exchange {
  const connection = new Connection(request);
  server.emit('connection', connection);
  return { answer: connection.answer, hangUp: () => void connection.destroy() };
}

/** The server's end of a connection. */
class Connection extends Duplex {
  readonly remoteAddress: string;
  readonly answer: Promise<HttpAnswer | undefined>;
  readonly #answered = Promise.withResolvers<HttpAnswer | undefined>();
  readonly #written: Buffer[] = [];

  constructor(request: HttpRequest) {
    super();
    this.remoteAddress = request.from;
    this.answer = this.#answered.promise;
    this.push(bytesOf(request));
  }

  override _read(): void {
    // All bytes were pushed.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#written.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#answered.resolve(readAnswer(Buffer.concat(this.#written).toString()));
    done();
    // Both ends are closed, so that the server releases the connection.
    this.push(null);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#answered.resolve(undefined);
    done(error);
  }
}

function bytesOf({ method, path, headers, body = '' }: HttpRequest): string {
  const all = {
    Host: 'relay.example',
    Connection: 'close',
    ...headers,
    ...(method === 'GET' ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Reads an answer that ends with its connection. */
function readAnswer(written: string): HttpAnswer | undefined {
  const [head = '', ...text] = written.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  if (headers.has('transfer-encoding')) throw new Error('a chunked answer is not read');
  return { status, headers, text: text.join('\r\n\r\n') };
}
