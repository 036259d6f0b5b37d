import { Writable } from 'node:stream';
import type { Io } from '../base/io.ts';

/** The progress of a run, for a terminal. */
export type Progress = { add(rows: number): void; end(): void };

/** Shows a bar if `err` is a terminal. Otherwise prints lines, as JSON with `--json`. */
export async function startProgress(io: Pick<Io, 'err' | 'now'>, total: number, isJson = false): Promise<Progress> {
  const { err, now } = io;
  if (!err.isTerminal) return lines(io, total, isJson);
  const { default: progress } = await import('cli-progress');
  const stream = Object.assign(
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        err.write(text);
        done();
      },
    }),
    { isTTY: true, columns: err.columns },
  );
  const bar = new progress.SingleBar({
    stream,
    format: '{bar} {percentage}%  {value} of {total} rows  {rate} rows/s  {left} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const started = now().getTime();
  let done = 0;
  bar.start(total, 0, { rate: 0, left: '?' });
  return {
    add(rows) {
      done += rows;
      bar.update(Math.min(done, total), paceOf(done, total, now().getTime() - started));
    },
    end: () => bar.stop(),
  };
}

/** The number of lines that a whole run prints. */
const LINES = 20;

/** A line for each twentieth of the rows. */
function lines({ err, now }: Pick<Io, 'err' | 'now'>, total: number, isJson: boolean): Progress {
  const started = now().getTime();
  let [done, printed] = [0, 0];
  return {
    add(rows) {
      done += rows;
      const part = Math.floor((Math.min(done, total) / total) * LINES);
      if (part <= printed) return;
      printed = part;
      const { rate, left } = paceOf(done, total, now().getTime() - started);
      const text = `${Math.min(done, total)} of ${total} rows, ${rate} rows/s, ${left} left`;
      err.write(`${isJson ? JSON.stringify({ progress: { done: Math.min(done, total), total } }) : text}\n`);
    },
    end: () => undefined,
  };
}

/** The rows per second, and the time that is left, such as `2m05s`. */
function paceOf(done: number, total: number, ms: number): { rate: number; left: string } {
  const perSecond = done / Math.max(ms / 1000, 0.001);
  const seconds = Math.ceil(Math.max(total - done, 0) / perSecond);
  const left = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
  return { rate: Math.round(perSecond), left };
}
