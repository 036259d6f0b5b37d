import { z } from 'zod';
import type { Output } from '../base/output.ts';

const error = 'must be an http or https address such as http://localhost:3000/hooks, without credentials';

/** The address of a shop's receiver: its query is kept, and `http://` may be left out. */
export const target = z
  .string({ error: 'is missing: the address of the shop’s receiver' })
  .transform((text, context) => {
    const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    }
    url.hash = '';
    return url.href;
  });

/** Warns where customers' data would leave the machine unencrypted. */
export function warnOfPlainHttp(out: Output, address: string): void {
  const { protocol, hostname, host } = new URL(address);
  if (protocol === 'https:' || /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)) return;
  out.say(`Warning: events hold customers’ data, and go to ${host} unencrypted. Use https there.`);
}
