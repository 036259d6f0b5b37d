import { existsSync } from 'node:fs';

/** WebKitGTK is an engine of Linux: elsewhere its tests are left out. */
export const hasWebKit = process.platform === 'linux';

/** Where WebKitGTK's driver is on this machine, WEBKIT_DRIVER_PATH or where distributions put it; its browser comes with it. */
export function findWebKitDriver(): string | undefined {
  return [process.env.WEBKIT_DRIVER_PATH, '/usr/bin/WebKitWebDriver'].find(isThere);
}

/** Where the X server without a screen is, for WebKitGTK has no headless mode: XVFB_PATH, or where distributions put it. */
export function findXvfb(): string | undefined {
  return [process.env.XVFB_PATH, '/usr/bin/Xvfb'].find(isThere);
}

const isThere = (path: string | undefined) => path !== undefined && existsSync(path);
