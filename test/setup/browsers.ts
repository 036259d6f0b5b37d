import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { findChromium } from '../support/chromium.ts';
import { findFirefox } from '../support/find-firefox.ts';

const browsers = [
  { name: 'Chromium', packages: ['chromium', 'fonts-liberation'], find: findChromium, variable: 'CHROMIUM_PATH' },
  { name: 'Firefox', packages: ['firefox-esr', 'fonts-liberation'], find: findFirefox, variable: 'FIREFOX_PATH' },
];

/** Makes sure that the browser tests have their browsers: installs Debian's where this user may, or says what to do. */
function main(): void {
  const missing = browsers.filter(({ find }) => !find());
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    console.log(`Installing ${missing.map(({ name }) => name).join(' and ')} for the browser tests …`);
    const quietly: SpawnSyncOptions = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    const packages = missing.flatMap((browser) => browser.packages);
    spawnSync('apt-get', ['update'], quietly);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], quietly);
  }
  for (const { name, packages, find, variable } of missing) {
    if (find()) continue;
    const command = `sudo apt-get install ${packages[0]}`;
    console.error(`${name} is missing: install it (Debian: ${command}), or set ${variable}.`);
    process.exitCode = 1;
  }
}

main();
