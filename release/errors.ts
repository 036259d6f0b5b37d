/** The release cannot be made. The message is printed, and says what to do. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code = 'release_refused';
}
