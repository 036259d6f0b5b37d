#!/usr/bin/env node
import { processIo } from './base/io.ts';
import { runCli } from './program.ts';

// What was done stays done, whether or not it can be printed: the outcome that the command has told is the exit code then. A reader
// that has enough, such as `head`, ends the other commands without a word.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`The result cannot be printed (${code}).\n`);
  process.exit(process.exitCode ?? (code === 'EPIPE' ? 0 : 1));
});
process.stderr.on('error', () => undefined);

// No process.exit: what is still in a pipe would be lost.
process.exitCode = await runCli(process.argv.slice(2), processIo(), (code) => {
  process.exitCode = code;
});
