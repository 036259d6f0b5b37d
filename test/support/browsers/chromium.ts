import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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

/** Chromium's engine without windows, where Debian's package of it is: half the work. It takes no preferences of a profile. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** Whether the engine without windows stands beside a distribution's Chromium. With CHROMIUM_PATH nobody needs it. */
export function hasHeadlessShell(): boolean {
  return process.env.CHROMIUM_PATH !== undefined || existsSync(HEADLESS_SHELL) || !existsSync('/usr/bin/chromium');
}

/**
 * Switched off: the pages that every window keeps for its address bar, which nobody sees here and which cost more than to load
 * a checkout; and before them what Playwright 1.65 switches off itself, for of several such flags Chromium reads the last alone.
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

/** What Playwright needs to start Chromium. Throws where there is none. */
export function chromiumOptions(): { executablePath: string; args: string[] } {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is missing: run npm test, which installs it or says how');
  return { executablePath, args: [...chromiumFlags, `--disable-features=${unusedFeatures}`] };
}

/** A Chromium of the caller's own, who closes it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch(chromiumOptions());
}

let shared: Browser | undefined;

/** The Chromium of this test process, started once and closed with it: every test opens a profile of its own in it. */
export async function sharedChromium(): Promise<Browser> {
  if (shared?.isConnected()) return shared;
  const options = chromiumOptions();
  const isShell = process.env.CHROMIUM_PATH === undefined && existsSync(HEADLESS_SHELL);
  shared = await chromium.launch(isShell ? { ...options, executablePath: HEADLESS_SHELL } : options);
  return shared;
}
