/**
 * Polls every few milliseconds until a value exists; failing polls are repeated. Throws after `withinMs`, with the
 * name and the last failure as its cause.
 */
export async function soon<Found>(
  what: string,
  look: () => Promise<Found | null | undefined>,
  withinMs = 300_000,
): Promise<NonNullable<Found>> {
  const end = Date.now() + withinMs;
  for (;;) {
    let trouble: unknown;
    const found = await look().catch((error: unknown) => {
      trouble = error;
    });
    if (found !== null && found !== undefined) return found;
    if (Date.now() > end) throw new Error(`did not come: ${what}`, { cause: trouble });
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** Polls every few milliseconds until a condition holds. Throws after `withinMs`, with its name. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, withinMs = 300_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`still not true after ${withinMs} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
