/** A cookie that the frame may keep in a cross-site page; `__Host-` binds it to the relay's own host. */
const NAME = '__Host-turnpike_device';

const MAX_AGE_SECONDS = 400 * 86_400;

const COOKIE = new RegExp(`(?:^|;\\s*)${NAME}=(dv_[\\w-]{32})(?:;|$)`);

/** The device id in a Cookie header, if there is one of our form. */
export function deviceIdIn(cookieHeader: string | undefined): string | undefined {
  return cookieHeader === undefined ? undefined : COOKIE.exec(cookieHeader)?.[1];
}

/** The Set-Cookie header that keeps a device id. */
export function deviceCookie(deviceId: string): string {
  return `${NAME}=${deviceId}; Max-Age=${MAX_AGE_SECONDS}; Path=/; Secure; HttpOnly; SameSite=None; Partitioned`;
}
