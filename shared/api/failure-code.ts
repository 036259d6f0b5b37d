/**
 * Why a request got no answer: the system's error code, such as ENOTFOUND, ECONNREFUSED or CERT_HAS_EXPIRED, or `timeout`.
 * Undefined if the error of `fetch` contains neither.
 */
export function failureCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'TimeoutError') return 'timeout';
  // fetch's own error only says that it failed.
  const { cause = error } = error;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return code === undefined ? undefined : (fetchNames[code] ?? code);
}

/** fetch has names of its own for a connection that ended, and for limits of its own. */
const fetchNames: Readonly<Record<string, string | undefined>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};
