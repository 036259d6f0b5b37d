import { join } from 'node:path';
import { run } from './run.ts';

await run({
  root: join(import.meta.dirname, '..'),
  relayEntry: 'sandbox/dev-relay.ts',
  dataDir: './data/dev',
  // The same key and orders after each restart, so that open pages and scripts go on.
  apiKey: 'development-key-of-32-characters-or-more',
});
