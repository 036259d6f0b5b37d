import type { Message } from '../../../shared/gateway/signature.ts';

/** What parts several values of one form parameter, which the spec leaves open (§4.6). */
const SEPARATOR = ',';

/** The values of a form parameter that holds several; none when it is absent or empty. */
export function split(list: string | undefined): string[] {
  return list ? list.split(SEPARATOR) : [];
}

/** Why a form, all its lists together, asks for too much at once (§8); undefined when it does not. */
export function overLimit(request: Message, lists: Readonly<Record<string, number>>): string | undefined {
  const limit = Math.min(...Object.values(lists));
  const given = Object.keys(lists).flatMap((name) => {
    const value = request[name];
    return typeof value === 'string' && value !== '' ? [{ name, entries: split(value).length }] : [];
  });
  const all = given.reduce((sum, { entries }) => sum + entries, 0);
  return all > limit ? `At most ${limit} ${given.map(({ name }) => name).join(' and ')} in one query` : undefined;
}
