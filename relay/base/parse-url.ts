/** A text as a URL, or null where it is none. The command line runs on versions of Node that have no `URL.parse`. */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
