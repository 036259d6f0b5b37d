import { join } from 'node:path';
import { run } from '../run.ts';

await run({
  root: join(import.meta.dirname, '../..'),
  relayEntry: 'sandbox/testing/relay-stand-in.ts',
  dataDir: process.env.STAND_IN_DATA ?? '',
});
