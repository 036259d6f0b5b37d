import { Writable } from 'node:stream';
import type { Io } from '../base/io.ts';

/** The progress of a run, for a terminal. */
export type Progress = { add(rows: number): void; end(): void };

/** A bar on a terminal's `err`; nothing elsewhere. */
export async function startProgress({ err, now }: Pick<Io, 'err' | 'now'>, total: number): Promise<Progress> {
  if (!err.isTerminal) return { add: () => undefined, end: () => undefined };
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
    format: '{bar} {percentage}%  {value} of {total} rows  {rate} rows/s  {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    etaBuffer: 50,
    clearOnComplete: true,
    gracefulExit: false,
  });
  const started = now().getTime();
  let done = 0;
  bar.start(total, 0, { rate: 0 });
  return {
    add(rows) {
      done += rows;
      const seconds = Math.max((now().getTime() - started) / 1000, 0.001);
      bar.update(Math.min(done, total), { rate: Math.round(done / seconds) });
    },
    end: () => bar.stop(),
  };
}
