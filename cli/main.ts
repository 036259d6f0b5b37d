#!/usr/bin/env node
import { processIo } from './base/io.ts';
import { runCli } from './program.ts';

// A reader that has enough, such as `head`, ends the program without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// No process.exit: what is still in a pipe would be lost.
process.exitCode = await runCli(process.argv.slice(2), processIo());
