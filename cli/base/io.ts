import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { styleText } from 'node:util';

/** A text output, and whether it is a terminal. */
export type Sink = {
  write(text: string): void;
  /** Resolves when the written text has left the process. Commands with endless output await it. */
  drained(): Promise<void>;
  isTerminal: boolean;
  columns: number;
};

/** The environment of a command. Tests pass their own. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>;
  /** Results, and nothing else. */
  out: Sink;
  /** Questions, progress, hints and errors. */
  err: Sink;
  /** Asks a person for a line on `err`; undefined without a terminal. */
  askLine: ((question: string) => Promise<string>) | undefined;
  /** The same, without showing what is typed. */
  askSecret: ((question: string) => Promise<string>) | undefined;
  /** All of the standard input. */
  readInput(): Promise<string>;
  now(): Date;
  /** Resolves after the time, or as soon as the signal aborts. */
  wait(ms: number, stopping?: AbortSignal): Promise<void>;
  /** Calls back at each Ctrl-C or SIGTERM. They do not end the process until the returned function is called. */
  onInterrupt(interrupted: () => void): () => void;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Opens an address in the person's browser, if there is one. */
  openInBrowser(url: string): Promise<void>;
};

/** The process's own streams, clock and signals. */
export function processIo(): Io {
  const { env } = process;
  return {
    env,
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    askLine: process.stdin.isTTY ? (question) => ask(question, { output: process.stderr }) : undefined,
    askSecret: process.stdin.isTTY ? askSecret : undefined,
    readInput: () => textOf(process.stdin),
    now: () => new Date(),
    wait,
    onInterrupt(interrupted) {
      process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
      return () => process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
    },
    fetch: (url, init) => fetch(url, init),
    openInBrowser,
  };
}

/** Waits for the time, or until the signal aborts. */
export async function wait(ms: number, stopping?: AbortSignal): Promise<void> {
  await after(ms, undefined, { signal: stopping }).catch(() => undefined);
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    write: (text) => stream.write(text),
    // A failed write is reported before this.
    drained: () =>
      new Promise((done) => (stream.writableNeedDrain ? stream.once('drain', () => done()) : setImmediate(done))),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

async function openInBrowser(url: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.unref();
  // The address is also printed, so a machine without a browser gets no error.
  await once(child, 'spawn').catch(() => undefined);
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

async function askSecret(question: string): Promise<string> {
  // The terminal echoes nothing while readline edits the line, and readline writes to a sink.
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() });
  const answered = ask('', { output: nowhere, terminal: true });
  // Not before the echo is off, because pasted text would be shown.
  process.stderr.write(question);
  const answer = await answered;
  process.stderr.write('\n');
  return answer;
}

function ask(question: string, to: { output: NodeJS.WritableStream; terminal?: boolean }): Promise<string> {
  const lines = createInterface({ input: process.stdin, ...to });
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

/** Text in a style, on a terminal without `NO_COLOR`. */
export function styled(io: Io, sink: Sink, style: Style, text: string): string {
  const plain = !sink.isTerminal || Boolean(io.env.NO_COLOR) || io.env.TERM === 'dumb';
  // Node's own check would test stdout instead of this output.
  return plain ? text : styleText(style, text, { validateStream: false });
}
