import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Flags for a Chromium that runs unattended and makes no requests of its own. */
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

/** The path of Chromium on this machine: CHROMIUM_PATH, or where distributions install it. */
export function findChromium(): string | undefined {
  const defaultPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return [process.env.CHROMIUM_PATH, ...defaultPaths].find((path) => path !== undefined && existsSync(path));
}

/** Chromium's headless engine, from Debian's package: half the work. It accepts no profile preferences. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** Whether the headless engine is installed for a distribution's Chromium. With CHROMIUM_PATH it is not needed. */
export function hasHeadlessShell(): boolean {
  return process.env.CHROMIUM_PATH !== undefined || existsSync(HEADLESS_SHELL) || !existsSync('/usr/bin/chromium');
}

/**
 * Disabled features: the pages that every window keeps for its address bar, which are invisible here and cost more
 * than loading a checkout. The first ones are those that Playwright 1.65 disables itself, since Chromium reads only
 * the last of several such flags.
 */
const unusedFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** Playwright's options for starting Chromium. Throws if it is not installed. */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is missing: run npm test, which installs it or says how');
  return { executablePath, args: [...chromiumFlags, `--disable-features=${unusedFeatures}`] };
}

/** Starts a separate Chromium, which the caller closes. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch(chromiumOptions());
}

let shared: Browser | undefined;

/** The Chromium of this test process, started once and closed with it. Every test opens a new profile in it. */
export async function sharedChromium(): Promise<Browser> {
  if (shared?.isConnected()) return shared;
  const options = chromiumOptions();
  const isShell = process.env.CHROMIUM_PATH === undefined && existsSync(HEADLESS_SHELL);
  shared = await chromium.launch(isShell ? { ...options, executablePath: HEADLESS_SHELL } : options);
  return shared;
}
