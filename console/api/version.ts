/** The header in which each answer names the version of the relay that wrote it. */
const VERSION_HEADER = 'Turnpike-Version';

/** False for an answer of a proxy in front of the relay: it tells nothing about the request. */
export function isOfRelay({ headers }: Response): boolean {
  return headers.has(VERSION_HEADER);
}

/**
 * A fetch that calls `onOther` where the answer came from a relay of another version than this page's. The page knows the answers
 * of its own version alone.
 */
export function fetchNoticing(fetch: typeof window.fetch, version: string, onOther: () => void): typeof window.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const answered = response.headers.get(VERSION_HEADER);
    if (answered !== null && answered !== version) onOther();
    return response;
  };
}
