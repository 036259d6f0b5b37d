#!/usr/bin/env node
import { processIo } from './base/io.ts';
import { runCli } from './program.ts';

// A finished command keeps its exit code even if its output cannot be printed. Any other command ends silently when its reader
// closes the pipe, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`The result cannot be printed (${code}).\n`);
  process.exit(process.exitCode ?? (code === 'EPIPE' ? 0 : 1));
});
process.stderr.on('error', () => undefined);

// No process.exit: what is still in a pipe would be lost.
process.exitCode = await runCli(process.argv.slice(2), processIo(), (code) => {
  process.exitCode = code;
});
