import { join } from 'node:path';
import { run } from './run.ts';

// The same key and orders after each restart, so that open pages and scripts go on.
process.env.TURNPIKE_API_KEY ||= 'development-key-of-32-characters-or-more';

await run({
  root: join(import.meta.dirname, '..'),
  relayEntry: 'sandbox/dev-relay.ts',
  dataDir: './data/dev',
});
