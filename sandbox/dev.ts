import { join } from 'node:path';
import { run } from './run.ts';

await run({
  root: join(import.meta.dirname, '..'),
  relayEntry: 'sandbox/dev-relay.ts',
  dataDir: './data/dev',
  // The key and the orders stay the same after each restart, so that open pages and scripts keep working.
  apiKey: 'development-key-of-32-characters-or-more',
});
