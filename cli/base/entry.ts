import type { Command } from 'commander';
import type { ExitCode } from './errors.ts';
import type { Io } from './io.ts';

/**
 * A command of `turnpike`. Its modules are loaded when it is used, because loading takes most of the time of a start.
 */
export type Entry = {
  name: string;
  /** An older name, which still works. */
  alias?: string;
  /** Its line in the list of commands. */
  says: string;
  /** Whether it reads all other commands, which are then loaded. */
  needsAll?: boolean;
  /** @param ends gets the exit code of a command that ends without an error but not with 0 */
  load(io: Io, ends: (code: ExitCode) => void): Promise<Command>;
};
