import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { findChromium } from '../support/chromium.ts';

/** Makes sure that the browser tests have a Chromium: installs Debian's where this user may, or says what to do. */
function main(): void {
  if (findChromium()) return;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    console.log('Installing Chromium for the browser tests …');
    const quietly: SpawnSyncOptions = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update'], quietly);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'], quietly);
  }
  if (findChromium()) return;
  console.error('Chromium is missing: install it (Debian: sudo apt-get install chromium), or set CHROMIUM_PATH.');
  process.exit(1);
}

main();
