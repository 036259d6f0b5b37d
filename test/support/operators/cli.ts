import { type Io, type Sink, wait } from '../../../cli/base/io.ts';
import { runCli } from '../../../cli/program.ts';

/** The exit code of one call of the command, and its output. */
type Ended = { code: number; out: string; err: string };

export type CliOptions = {
  env?: Record<string, string>;
  /** The answers of the person at the terminal, one for each question; without it there is no terminal. */
  answers?: readonly string[];
  /** The standard input; empty by default. */
  input?: string;
  /** Whether results go to a terminal; false by default. */
  isTerminal?: boolean;
  /** Further changes of the command's environment. */
  io?: Partial<Io>;
};

/** Runs the command in this process until it ends. */
export function cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  return startCli(args, options).ended;
}

/** Starts the command in this process: its output so far, its end, and Ctrl-C. */
export function startCli(args: readonly string[], options: CliOptions = {}) {
  const out = sink(options.isTerminal ?? false);
  const err = sink(options.isTerminal ?? false);
  const answers = [...(options.answers ?? [])];
  const interrupted = new Set<() => void>();
  const ended = runCli(args, {
    env: { HOME: '/nonexistent', ...options.env },
    out,
    err,
    askLine:
      options.answers &&
      (async (question) => {
        err.write(question);
        return answers.shift() ?? '';
      }),
    askSecret:
      options.answers &&
      (async (question) => {
        err.write(`${question}\n`);
        return answers.shift() ?? '';
      }),
    readInput: async () => options.input ?? '',
    now: () => new Date(),
    wait,
    onInterrupt(listener) {
      interrupted.add(listener);
      return () => interrupted.delete(listener);
    },
    fetch: (url, init) => fetch(url, init),
    openInBrowser: async () => undefined,
    ...options.io,
  }).then((code): Ended => ({ code, out: out.text(), err: err.text() }));
  return {
    out: out.text,
    err: err.text,
    ended,
    /** Presses Ctrl-C. */
    interrupt() {
      for (const listener of interrupted) listener();
    },
  };
}

function sink(isTerminal: boolean): Sink & { text(): string } {
  let all = '';
  return {
    write: (text) => {
      all += text;
    },
    drained: async () => undefined,
    isTerminal,
    columns: 120,
    text: () => all,
  };
}

/** The lines that `--json` printed. */
export function jsonLines(out: string): unknown[] {
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
