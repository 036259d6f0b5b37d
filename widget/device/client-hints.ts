import type { ClientHints, Device } from '../../shared/checkout/pay.ts';

/** The part of User-Agent Client Hints that we read; TypeScript's own libraries leave it out. */
type HintsNavigator = { userAgentData?: { getHighEntropyValues(names: string[]): Promise<ClientHints> } };

declare global {
  interface Navigator extends HintsNavigator {}
}

const HINTS = ['fullVersionList', 'model', 'platform', 'platformVersion'];

/** Reads the browser's exact version and platform, where it tells them. */
export async function readClientHints(navigator: HintsNavigator): Promise<Device> {
  const hints = await navigator.userAgentData?.getHighEntropyValues(HINTS);
  if (!hints) return {};
  const { brands, fullVersionList, mobile, model, platform, platformVersion } = hints;
  return { client_hints: { brands, fullVersionList, mobile, model, platform, platformVersion } };
}
