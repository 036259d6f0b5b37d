import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { styleText } from 'node:util';

/** Somewhere to write text, and whether a person reads it there. */
export type Sink = {
  write(text: string): void;
  /** Resolves when what was written is out of the process; awaited by writers of endless output. */
  drained(): Promise<void>;
  isTerminal: boolean;
  columns: number;
};

/** What the command takes from its environment. Tests pass their own. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>;
  /** Results, and nothing else. */
  out: Sink;
  /** Questions, progress, hints and errors. */
  err: Sink;
  /** Asks a person for a line on `err`; undefined without a terminal. */
  askLine: ((question: string) => Promise<string>) | undefined;
  /** All of the standard input. */
  readInput(): Promise<string>;
  now(): Date;
  /** Resolves after so long, or as soon as the signal aborts. */
  wait(ms: number, stopping?: AbortSignal): Promise<void>;
  /** Calls back at each Ctrl-C or SIGTERM, which end the process no more until the returned function is called. */
  onInterrupt(interrupted: () => void): () => void;
  fetch(url: string, init: RequestInit): Promise<Response>;
};

/** The process's own streams, clock and signals. */
export function processIo(): Io {
  const { env } = process;
  return {
    env,
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    askLine: process.stdin.isTTY ? askLine : undefined,
    readInput: () => textOf(process.stdin),
    now: () => new Date(),
    wait,
    onInterrupt(interrupted) {
      process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
      return () => process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    },
    fetch: (url, init) => fetch(url, init),
  };
}

/** Waits so long, or until the signal aborts. */
export async function wait(ms: number, stopping?: AbortSignal): Promise<void> {
  await after(ms, undefined, { signal: stopping }).catch(() => undefined);
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    write: (text) => stream.write(text),
    drained: () => new Promise((done) => (stream.writableNeedDrain ? stream.once('drain', () => done()) : done())),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((done) => {
    // The end of the input is no answer.
    lines.once('close', () => done(''));
    lines.question(question, (answer) => {
      done(answer);
      lines.close();
    });
  });
}

/** A colour or a weight of text. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Text in a style, where a person reads it and `NO_COLOR` is not set. */
export function styled(io: Io, sink: Sink, style: Style, text: string): string {
  const plain = !sink.isTerminal || Boolean(io.env.NO_COLOR) || io.env.TERM === 'dumb';
  // The check of Node's own would ask stdout, whatever the sink.
  return plain ? text : styleText(style, text, { validateStream: false });
}
