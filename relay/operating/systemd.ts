import type { Environment } from '../config/secrets.ts';

/** systemd answers within milliseconds, on a busy machine within seconds. */
const LIMIT_MS = 30_000;

/** `systemctl status` shows one line. */
const MAX_STATUS = 400;

/** Assignments of sd_notify(3). */
type Message = { state?: 'READY=1' | 'STOPPING=1'; status: string };

/**
 * Notifies systemd if it started the relay as a service of `Type=notify`; otherwise does nothing. `systemctl status`
 * shows the status. Node.js cannot send datagrams to a unix socket, so systemd's own command sends the message, and
 * ends when systemd has read it. Returns the code of a failure, and never throws.
 */
export async function notifySystemd(env: Environment, { state, status }: Message): Promise<string | undefined> {
  const { NOTIFY_SOCKET, PATH } = env;
  if (!NOTIFY_SOCKET) return undefined;
  const { execFile } = await import('node:child_process');
  const text = [...status.replaceAll(/\s+/g, ' ')].slice(0, MAX_STATUS).join('');
  const args = [...(state ? [state] : []), `STATUS=${text}`];
  // No other variables of the environment, because they may contain secrets.
  const options = { env: { PATH, NOTIFY_SOCKET }, timeout: LIMIT_MS };
  return new Promise((done) => {
    execFile('systemd-notify', args, options, (error) => done(error ? codeOf(error) : undefined));
  });
}

function codeOf({ code }: { code?: string | number | null | undefined }): string {
  return typeof code === 'string' ? code : 'systemd_notify_failed';
}
