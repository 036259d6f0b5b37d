import type { History, Step } from './steps.ts';

/**
 * Shortens a history by delta debugging: removes steps until the history passes without any one of them. The time of removed steps
 * remains if the failure needs it.
 */
export async function shorten(history: History, fails: (shorter: History) => Promise<boolean>): Promise<History> {
  let { steps } = history;
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    const shorter = await without(history, steps, size, fails);
    if (shorter) steps = shorter;
    else if (size === 1) break;
    if (!shorter) size = Math.ceil(size / 2);
    else size = Math.min(size, Math.max(1, Math.ceil(steps.length / 2)));
  }
  return { ...history, steps };
}

async function without(
  history: History,
  steps: Step[],
  size: number,
  fails: (shorter: History) => Promise<boolean>,
): Promise<Step[] | undefined> {
  for (let at = steps.length - size; at > -size; at -= size) {
    const [from, to] = [Math.max(0, at), at + size];
    const rest = steps.slice(to);
    const [next, ...others] = rest;
    const gone = steps.slice(from, to).reduce((sum, { after }) => sum + after, 0);
    const kept = next ? [{ ...next, after: next.after + gone }, ...others] : [];
    for (const shorter of [
      [...steps.slice(0, from), ...rest],
      [...steps.slice(0, from), ...kept],
    ]) {
      if (await fails({ ...history, steps: shorter })) return shorter;
    }
  }
  return undefined;
}
