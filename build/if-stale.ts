import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { browserParts, freshBuild } from './parts.ts';

const root = join(import.meta.dirname, '..');

/**
 * Builds the browser parts that are missing or older than their sources. If all are fresh, it loads no build tool. With
 * `--trial` it also builds parts above their size budget.
 */
async function main(): Promise<number> {
  let isAnnounced = false;
  for (const part of browserParts) {
    if (await freshBuild(root, part)) continue;
    if (!hasVite()) {
      console.error(
        'The browser parts are not built, or older than their sources, and Vite is not installed: run `npm ci && npm run build`, or start a release (`npm run release` makes one).',
      );
      return 1;
    }
    if (!isAnnounced) console.log('Building the form and the console, this once …');
    isAnnounced = true;
    // Only `npm run build` prints sizes and hashes; errors are always printed.
    const { status } = spawnSync(process.execPath, [join(root, part.script), ...process.argv.slice(2)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) return 1;
  }
  return 0;
}

/** Vite is a development dependency: `npm ci --omit=dev` does not install it. */
function hasVite(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

process.exitCode = await main();
