import { existsSync } from 'node:fs';

/** Flags for a Chromium that runs unattended and calls nobody. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where Chromium is on this machine: CHROMIUM_PATH, or where distributions put it. */
export function findChromium(): string | undefined {
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return [process.env.CHROMIUM_PATH, ...usual].find((path) => path !== undefined && existsSync(path));
}
