/**
 * Moments in milliseconds, in their order, each as often as it was added. What stands before `start` is gone: the oldest leave
 * without the others being moved, and one that comes back stands where it stood.
 */
export type Moments = { all: number[]; start: number };

/** So many moments that are gone are kept before the rest is moved to the front. */
const MAX_GONE = 32;

/** Adds a moment, wherever in the order it belongs. */
export function addMoment(moments: Moments, moment: number): void {
  const { all, start } = moments;
  if (all.length === start || moment >= (all.at(-1) ?? 0)) {
    all.push(moment);
    return;
  }
  const place = placeOf(moments, moment);
  if (place > start || start === 0) {
    all.splice(place, 0, moment);
    return;
  }
  moments.start -= 1;
  all[moments.start] = moment;
}

/** Takes one such moment away. False where there is none. */
export function removeMoment(moments: Moments, moment: number): boolean {
  const place = placeOf(moments, moment);
  if (moments.all[place] !== moment) return false;
  if (place === moments.start) drop(moments, 1);
  else moments.all.splice(place, 1);
  return true;
}

/** Takes every moment away that is not after this one. */
export function removeUntil(moments: Moments, moment: number): void {
  const { all, start } = moments;
  const first = all[start];
  if (first === undefined || first > moment) return;
  drop(moments, placeOf(moments, moment + 1) - start);
}

/** The moment that is the last but `n - 1`; undefined where there are fewer than `n`. */
export function lastMoment({ all, start }: Moments, n: number): number | undefined {
  return all.length - start < n ? undefined : all[all.length - n];
}

function drop(moments: Moments, count: number): void {
  moments.start += count;
  // Half of them at least are gone: what is moved was paid for by what left.
  if (moments.start < MAX_GONE || moments.start * 2 < moments.all.length) return;
  moments.all = moments.all.slice(moments.start);
  moments.start = 0;
}

/** Where the first moment stands that is not before this one. */
function placeOf({ all, start }: Moments, moment: number): number {
  let [low, high] = [start, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
