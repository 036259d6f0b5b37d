#!/usr/bin/env node
import nodeModule from 'node:module';

// Node caches the compiled modules for the next start. Node 20 cannot.
nodeModule.enableCompileCache?.();

// A finished command keeps its exit code even if its output cannot be printed. Any other command ends silently when its
// reader closes the pipe, as `head` does.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.stderr.write(`The result cannot be printed (${code}).\n`);
  process.exit(process.exitCode ?? (code === 'EPIPE' ? 0 : 1));
});
process.stderr.on('error', () => undefined);

const [{ processIo }, { runCli }] = await Promise.all([import('./base/io.ts'), import('./program.ts')]);
// No process.exit, which would lose the unwritten output of a pipe.
process.exitCode = await runCli(process.argv.slice(2), processIo(), (code) => {
  process.exitCode = code;
});
