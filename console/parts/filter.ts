/** The same filter at its first page. */
export function fromFirstPage(filter: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(filter);
  next.delete('before');
  return next;
}

/** The filter with one field set, or without it, from the first page. */
export function withField(filter: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = fromFirstPage(filter);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}

/** The filter at the page that begins before an entry. */
export function withPage(filter: URLSearchParams, before: string): URLSearchParams {
  const next = new URLSearchParams(filter);
  next.set('before', before);
  return next;
}
