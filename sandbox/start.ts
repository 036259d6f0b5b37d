import { join } from 'node:path';
import { run } from './run.ts';

await run({
  root: join(import.meta.dirname, '..'),
  relayEntry: 'relay/main.ts',
  dataDir: './data',
  hasHistory: true,
});
