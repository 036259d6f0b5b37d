/** A header as a field of a message: without control characters, and not endless. Empty where there is none. */
export function headerText(value: string | undefined): string {
  return (value ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 1000);
}
