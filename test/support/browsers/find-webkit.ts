import { existsSync } from 'node:fs';

/** WebKitGTK exists only on Linux. Elsewhere its tests are skipped. */
export const hasWebKit = process.platform === 'linux';

/**
 * The path of WebKitGTK's driver: WEBKIT_DRIVER_PATH or where distributions install it. The package includes its
 * browser.
 */
export function findWebKitDriver(): string | undefined {
  return [process.env.WEBKIT_DRIVER_PATH, '/usr/bin/WebKitWebDriver'].find(isThere);
}

/**
 * The path of the X server without a screen, since WebKitGTK has no headless mode: XVFB_PATH, or where distributions
 * install it.
 */
export function findXvfb(): string | undefined {
  return [process.env.XVFB_PATH, '/usr/bin/Xvfb'].find(isThere);
}

const isThere = (path: string | undefined) => path !== undefined && existsSync(path);
