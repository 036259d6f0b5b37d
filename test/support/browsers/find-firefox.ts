import { existsSync } from 'node:fs';

/** Where Firefox is on this machine: FIREFOX_PATH, or where distributions put it. */
export function findFirefox(): string | undefined {
  const usual = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
  return [process.env.FIREFOX_PATH, ...usual].find((path) => path !== undefined && existsSync(path));
}
