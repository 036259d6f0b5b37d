import { extname, join } from 'node:path';
import { run } from './run.ts';

// Modules of the package are JavaScript.
await run({
  root: join(import.meta.dirname, '..'),
  relayEntry: `relay/main${extname(import.meta.filename)}`,
  dataDir: process.env.SANDBOX_DATA || './data',
  hasHistory: process.env.SANDBOX_MONTH !== 'off',
});
