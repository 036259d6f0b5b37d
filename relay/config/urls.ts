import { z } from 'zod';

/** Parses a URL, or returns null. The command line runs on versions of Node without `URL.parse`. */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

export const httpUrl = z.string().refine((value) => {
  const url = parseUrl(value);
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && !url.search && !url.hash && !url.username;
}, 'must be an http or https URL without query, fragment or user');
