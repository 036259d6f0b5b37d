/** Waits until something is true, looking every few milliseconds. Throws, naming it, after `withinMs`. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`still not true after ${withinMs} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
