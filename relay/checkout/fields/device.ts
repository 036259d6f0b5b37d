import UAParser from 'ua-parser-js';
import type { ClientHints, Device } from '../../../shared/checkout/pay.ts';
import { remembered } from '../../../shared/checkout/remembered.ts';

/** The data about the browser in the request itself. */
export type RequestFacts = {
  user_agent: string;
  accept: string;
  accept_language: string;
  shopper_ip: string;
  /** The device cookie that came with the request. */
  device_cookie?: string;
};

type DeviceFields = Omit<Device, 'client_hints'>;

/**
 * The device fields of §2.1: the ones that the form sent, completed from the request. `newDeviceId` is used at the
 * first visit, without a device cookie.
 */
export function deviceFields(device: Device, facts: RequestFacts, newDeviceId: () => string): DeviceFields {
  const { client_hints, ...given } = device;
  const named = nameDevice(facts.user_agent, client_hints);
  const cookieOld = given.cookie_old ?? facts.device_cookie ?? '';
  const language = facts.accept_language.split(/[,;]/)[0]?.trim();
  return {
    ...(language ? { browser_lang: language } : {}),
    ...named,
    ...given,
    cookie_old: cookieOld,
    cookie_new: given.cookie_new || facts.device_cookie || newDeviceId(),
  };
}

/** The name of an unknown os or browser: risk checks need the fields. */
const UNKNOWN = 'unknown';

/** Names os, browser and device type from the User-Agent and, if the browser sent them, the client hints. */
export function nameDevice(
  userAgent: string,
  hints: ClientHints | undefined,
): { os: string; browser: string; device_type: string } {
  const parsed = parsedUserAgent(userAgent.slice(0, 2000));
  const { os, browser, device } = parsed;
  return {
    os: osFromHints(hints) ?? joined(os.name, os.version) ?? UNKNOWN,
    browser: browserFromHints(hints) ?? joined(browser.name, browser.version) ?? UNKNOWN,
    device_type: deviceType(device.type, hints),
  };
}

/** Parsing tries a hundred patterns, and many shoppers have the same browser. */
const parsedUserAgent = remembered((userAgent: string) => new UAParser(userAgent).getResult(), 2000);

function deviceType(parsed: string | undefined, hints: ClientHints | undefined): string {
  if (parsed) return parsed;
  return hints?.mobile ? 'mobile' : 'desktop';
}

function osFromHints(hints: ClientHints | undefined): string | undefined {
  if (!hints?.platform || !hints.platformVersion) return undefined;
  const major = Number.parseInt(hints.platformVersion, 10);
  // In the hint, 13 and above is Windows 11, and 0 is any version before 10.
  if (hints.platform === 'Windows') return major >= 13 ? 'Windows 11' : major > 0 ? 'Windows 10' : undefined;
  return joined(hints.platform, hints.platformVersion.replace(/(\.0)+$/, ''));
}

function browserFromHints(hints: ClientHints | undefined): string | undefined {
  const brands = hints?.fullVersionList ?? hints?.brands ?? [];
  // Browsers add an invented brand, and Chromium besides their own brand.
  const real = brands.filter(({ brand }) => !/not.?a.?brand/i.test(brand.replace(/[^a-z]/gi, '')));
  const product = real.find(({ brand }) => brand !== 'Chromium') ?? real[0];
  return product ? joined(product.brand.replace(/^Google /, ''), product.version) : undefined;
}

function joined(name: string | undefined, version: string | undefined): string | undefined {
  return name ? [name, version].filter(Boolean).join(' ') : undefined;
}

/** A cookie that the frame may keep in a page of another site. `__Host-` binds it to the relay's host. */
const NAME = '__Host-turnpike_device';

const MAX_AGE_SECONDS = 400 * 86_400;

const COOKIE = new RegExp(`(?:^|;\\s*)${NAME}=(dv_[\\w-]{32})(?:;|$)`);

/** The device id in a Cookie header, if it has the relay's form. */
export function deviceIdIn(cookieHeader: string | undefined): string | undefined {
  return cookieHeader === undefined ? undefined : COOKIE.exec(cookieHeader)?.[1];
}

/** The Set-Cookie header that keeps a device id. */
export function deviceCookie(deviceId: string): string {
  return `${NAME}=${deviceId}; Max-Age=${MAX_AGE_SECONDS}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned`;
}

/** A header as a message field: without control characters, and of limited length. Empty if the header is missing. */
export function headerText(value: string | undefined): string {
  return (value ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 1000);
}
