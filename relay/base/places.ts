/** One of a few places. */
export type Place = {
  /** Leaves it to the next who waits. A second call does nothing. */
  release(): void;
};

/** A few places for work that must not be done by too many at once. */
export type Places = {
  /** Waits for a place; those who came first get theirs first. */
  take(): Promise<Place>;
};

/** So many places, all free. */
export function createPlaces(count: number): Places {
  let free = count;
  const waiting: (() => void)[] = [];
  const newPlace = (): Place => {
    let isHeld = true;
    return {
      release() {
        if (!isHeld) return;
        isHeld = false;
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      },
    };
  };
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((given) => waiting.push(given));
      return newPlace();
    },
  };
}
