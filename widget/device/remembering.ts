import type { Pace } from './scheduler.ts';

const PIECE_MS = 10;

const PAUSE = Symbol('pause');

/**
 * Reads something through an object whose methods are slow, in pieces: when one has taken its time the reading is broken off,
 * and begun anew in the next, with every answer that the object gave before remembered. For methods that change nothing and
 * take strings and numbers.
 */
export async function readInPieces<Slow extends object, Found>(
  slow: Slow,
  read: (slow: Slow) => Found,
  pace: Pick<Pace, 'turn'>,
  now: () => number = () => performance.now(),
): Promise<Found> {
  const known = new Map<string, unknown>();
  for (;;) {
    await pace.turn();
    try {
      return read(remembering(slow, known, now() + PIECE_MS, now));
    } catch (error) {
      if (error !== PAUSE) throw error;
    }
  }
}

function remembering<Slow extends object>(
  slow: Slow,
  known: Map<string, unknown>,
  until: number,
  now: () => number,
): Slow {
  return new Proxy(slow, {
    // The browser's own objects refuse to be asked through another.
    get(_, name) {
      const value: unknown = Reflect.get(slow, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const question = `${String(name)} ${args}`;
        if (!known.has(question)) {
          if (now() >= until) throw PAUSE;
          known.set(question, Reflect.apply(value, slow, args));
        }
        return known.get(question);
      };
    },
  });
}
