import { existsSync } from 'node:fs';

/** The path of Firefox on this machine: FIREFOX_PATH, or where distributions install it. */
export function findFirefox(): string | undefined {
  const defaultPaths = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
  return [process.env.FIREFOX_PATH, ...defaultPaths].find((path) => path !== undefined && existsSync(path));
}
