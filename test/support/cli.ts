import type { Io, Sink } from '../../cli/base/io.ts';
import { runCli } from '../../cli/program.ts';

/** How one call of the command ended, and what it printed. */
export type Ended = { code: number; out: string; err: string };

export type CliOptions = {
  env?: Record<string, string>;
  /** What the person at the terminal answers, one for each question; nobody is there without it. */
  answers?: readonly string[];
  /** Whether results go to a terminal; false. */
  isTerminal?: boolean;
  /** Changes the world further. */
  io?: Partial<Io>;
};

/** Runs the command in this process. */
export async function cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
  const out = sink(options.isTerminal ?? false);
  const err = sink(options.isTerminal ?? false);
  const answers = [...(options.answers ?? [])];
  const code = await runCli(args, {
    env: { HOME: '/nonexistent', ...options.env },
    out,
    err,
    askLine:
      options.answers &&
      (async (question) => {
        err.write(question);
        return answers.shift() ?? '';
      }),
    now: () => new Date(),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    onInterrupt: () => () => undefined,
    fetch: (url, init) => fetch(url, init),
    ...options.io,
  });
  return { code, out: out.text(), err: err.text() };
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
