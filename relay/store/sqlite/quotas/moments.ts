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

/** The moment that is the last but `n - 1` of those until a moment; undefined where there are fewer than `n`. */
export function lastMoment(moments: Moments, n: number, until = Number.POSITIVE_INFINITY): number | undefined {
  const { all, start } = moments;
  const end = (all.at(-1) ?? 0) <= until ? all.length : placeOf(moments, until + 1);
  return end - start < n ? undefined : all[end - n];
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

/** The moments of keys that were counted once, as nearly every card and address is. */
type LoneMoments = {
  get(key: string): number | undefined;
  /** Keeps the moment (milliseconds since 1970) of a key that has none. */
  add(key: string, moment: number): void;
  delete(key: string): void;
};

const FIRST_SIZE = 1024;

/**
 * A table of two lists of numbers, 20 to 40 bytes a key: what a Map takes, with the keys themselves, is ten times as much, for each
 * attempt of the last hour (`npm run bench -- memory`). Two keys are one where 53 bits of them are the same, by one chance in
 * a million among a hundred thousand keys: the second of them then counts as tried once more.
 */
export function createLoneMoments(): LoneMoments {
  let hashes = new Float64Array(FIRST_SIZE);
  let moments = new Float64Array(FIRST_SIZE);
  let count = 0;

  /** Where a hash stands, or would stand: no free place is before it. */
  const placeOf = (hash: number): number => {
    const mask = hashes.length - 1;
    let place = hash & mask;
    while (hashes[place] !== 0 && hashes[place] !== hash) place = (place + 1) & mask;
    return place;
  };

  const grow = (): void => {
    const [oldHashes, oldMoments] = [hashes, moments];
    hashes = new Float64Array(2 * oldHashes.length);
    moments = new Float64Array(2 * oldHashes.length);
    for (const [at, hash] of oldHashes.entries()) {
      if (hash === 0) continue;
      const place = placeOf(hash);
      hashes[place] = hash;
      moments[place] = oldMoments[at] ?? 0;
    }
  };

  return {
    get(key) {
      const place = placeOf(hashOf(key));
      return hashes[place] === 0 ? undefined : moments[place];
    },
    add(key, moment) {
      if (5 * (count + 1) > 4 * hashes.length) grow();
      const hash = hashOf(key);
      const place = placeOf(hash);
      if (hashes[place] === 0) count += 1;
      hashes[place] = hash;
      moments[place] = moment;
    },
    delete(key) {
      let free = placeOf(hashOf(key));
      if (hashes[free] === 0) return;
      count -= 1;
      const mask = hashes.length - 1;
      // What stands behind it moves up, unless it stands where it belongs: no search may end too soon.
      for (let at = (free + 1) & mask; hashes[at] !== 0; at = (at + 1) & mask) {
        const hash = hashes[at] ?? 0;
        const isBehind = ((at - (hash & mask)) & mask) >= ((at - free) & mask);
        if (!isBehind) continue;
        hashes[free] = hash;
        moments[free] = moments[at] ?? 0;
        free = at;
      }
      hashes[free] = 0;
    },
  };
}

/** 53 bits of a text, never 0: two multiplicative hashes beside each other. */
function hashOf(text: string): number {
  let [low, high] = [0x9e3779b1, 0x85ebca77];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995);
  }
  low ^= low >>> 15;
  high ^= high >>> 13;
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0) || 1;
}
