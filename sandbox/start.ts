import { extname, join } from 'node:path';
import { run } from './run.ts';

// The modules of the package are JavaScript.
await run({
  root: join(import.meta.dirname, '..'),
  relayEntry: `relay/main${extname(import.meta.filename)}`,
  dataDir: process.env.SANDBOX_DATA || './data',
  monthFor: monthFor(process.env.SANDBOX_MONTH),
});

/** The `turnpike sandbox` of the package sets the variable; `npm start` does not. */
function monthFor(wanted: string | undefined): 'new_store' | 'any_store' | undefined {
  if (wanted === 'off') return undefined;
  return wanted === 'on' ? 'any_store' : 'new_store';
}
