import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Snapshot, snapshot } from './snapshot.ts';

/** How long changes gather before they are written together. */
const TOGETHER_MS = 100;

/** The file with the records between two starts. It is always complete, because a new file replaces it. */
export class BooksFile {
  readonly #path: string;
  #take: (() => Snapshot) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #tookMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The stored records; undefined if there is no file, or if this version cannot read it. */
  read(): Snapshot | undefined {
    return readBooks(this.#path);
  }

  /** Starts to store changes, from snapshots of `take`. A gateway that fails before this call writes nothing. */
  keep(take: () => Snapshot): void {
    this.#take = take;
  }

  /** Writes soon. The pause grows with the size of the records. */
  saveSoon(): void {
    if (!this.#take) return;
    this.#timer ??= setTimeout(() => this.save(), Math.max(TOGETHER_MS, 10 * this.#tookMs));
    this.#timer.unref();
  }

  /** Writes the pending changes and stops. */
  close(): void {
    if (this.#timer) this.save();
    this.#take = undefined;
  }

  /** Writes at once. If it cannot write, the gateway continues. */
  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#take) return;
    const began = performance.now();
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(`${this.#path}.new`, JSON.stringify(this.#take()), { mode: 0o600 });
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
      console.error(`The gateway's books cannot be written to ${this.#path}: ${code}`);
    }
    this.#tookMs = performance.now() - began;
  }
}

/** The records in a file; undefined if there is none, or if this version cannot read it. */
export function readBooks(path: string): Snapshot | undefined {
  try {
    return snapshot.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
