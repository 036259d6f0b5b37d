import type { Io } from '../base/io.ts';

/** One line that tells a person how far a command is, and is gone before anything else is printed. */
export type Progress = { show(text: string): void; clear(): void };

/** Says nothing where nobody watches. */
export function createProgress({ err }: Io, isWanted: boolean): Progress {
  let isShown = false;
  const write = (text: string): void => {
    if (isWanted && err.isTerminal) err.write(`\r\x1b[2K${text}`);
  };
  return {
    show(text) {
      write(text);
      isShown = true;
    },
    clear() {
      if (isShown) write('');
      isShown = false;
    },
  };
}
