import type { Message } from '../../shared/gateway/signature.ts';

/** What parts several values of one form parameter, which the spec leaves open (§4.6). */
const SEPARATOR = ',';

/** The values of a form parameter that holds several; none when it is absent or empty. */
export function split(list: string | undefined): string[] {
  return list ? list.split(SEPARATOR) : [];
}

/** Why a form asks for too much at once (§8); undefined when it does not. */
export function overLimit(request: Message, lists: Readonly<Record<string, number>>): string | undefined {
  for (const [name, limit] of Object.entries(lists)) {
    const value = request[name];
    if (typeof value === 'string' && split(value).length > limit) return `At most ${limit} ${name} in one query`;
  }
  return undefined;
}
