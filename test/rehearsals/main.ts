/**
 * Rehearses outages: `npm run rehearse` runs all, `npm run rehearse -- NAME` one. Real relay processes work under a load of payments and
 * refunds, a failure happens and is repaired, and the books of clients, relay, gateway and shop are compared. Exits with 1 if
 * anything was lost or made twice. docs/testing.md describes each rehearsal.
 */

import makeScratch from '../setup/scratch.ts';
import { clockSteps } from './clock-steps.ts';
import { descriptors } from './descriptors.ts';
import { diskFull } from './disk-full.ts';
import { dnsGone } from './dns-gone.ts';
import { gatewayGone } from './gateway-gone.ts';
import { type Rehearsal, rehearse } from './harness/rehearsal.ts';
import { kill } from './kill.ts';
import { patroni } from './patroni.ts';
import { primaryLost } from './primary-lost.ts';
import { receiverDown } from './receiver-down.ts';
import { rollingRestart } from './rolling-restart.ts';
import { rotation } from './rotation.ts';
import { upgrade } from './upgrade.ts';

const rehearsals = new Map<string, Rehearsal>([
  ['rotation', rotation],
  ['rolling-restart', rollingRestart],
  ['upgrade', upgrade],
  ['kill', kill],
  ['primary-lost', primaryLost],
  ['patroni', patroni],
  ['disk-full', diskFull],
  ['gateway-gone', gatewayGone],
  ['dns-gone', dnsGone],
  ['clock-steps', clockSteps],
  ['receiver-down', receiverDown],
  ['descriptors', descriptors],
]);

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !rehearsals.has(name));
  if (unknown.length > 0) {
    console.error(`There is no rehearsal ${unknown.join(', ')}. There are: ${[...rehearsals.keys()].join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const failed: string[] = [];
  for (const [name, rehearsal] of rehearsals) {
    if (names.length > 0 && !names.includes(name)) continue;
    const missing = rehearsal.needs?.();
    if (missing !== undefined) {
      console.log(`\n${name}: left out. It needs: ${missing}\n`);
      continue;
    }
    const begun = performance.now();
    const say = (line: string): void =>
      console.error(`${name}, ${((performance.now() - begun) / 1000).toFixed(0)} s: ${line}`);
    const { passed, lines } = await rehearse(name, rehearsal, say).catch((error: unknown) => ({
      passed: false,
      lines: [`NOT REHEARSED   ${error instanceof Error ? error.message : String(error)}`],
    }));
    if (!passed) failed.push(name);
    console.log(`\n${name}: ${rehearsal.breaks}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
  console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}.` : 'Nothing was lost or made twice.');
  // A rehearsal that could not start may have left open handles.
  process.exit(failed.length > 0 ? 1 : 0);
}

// Keeps files in memory, and caches the compiled code of the relays, because compilation would be most of the work.
makeScratch();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main(process.argv.slice(2));
