import { RelayAnswerUnusable, RelayRefused, RelayUnreachable } from '../../client/index.ts';
import type { Output } from '../base/output.ts';
import type { Feed } from './feed.ts';

/** Between two looks for new entries. */
export const LOOK_MS = 1000;

const MAX_PAUSE_MS = 10_000;

export type Looker<Entry> = {
  /** New entries, oldest first; none while the relay cannot be asked. Throws errors that a retry cannot fix. */
  look(stopping: AbortSignal): Promise<Entry[]>;
  /** How long to wait before the next look: longer after each one that failed. */
  pauseMs(usualMs: number): number;
};

export const NO_EVENTS =
  'The relay keeps no event of this account yet. It keeps them for accounts with a webhook in its configuration.';

/**
 * Looks for entries, and says when it begins, when the relay cannot be asked and when it can again, each once.
 * @param says what it says when it begins, and besides where there is no entry yet
 */
export function createLooker<Entry>(
  out: Output,
  feed: Feed<Entry>,
  relayUrl: string,
  says: { begins: string; isEmpty: string },
): Looker<Entry> {
  let failures = 0;
  let hasBegun = false;
  return {
    async look(stopping) {
      try {
        const found = await feed.look();
        if (failures > 0 && hasBegun) out.say('The relay answers again.');
        if (!hasBegun) {
          out.say(says.begins);
          if (feed.newest() === undefined) out.say(says.isEmpty);
        }
        failures = 0;
        hasBegun = true;
        return found;
      } catch (error) {
        if (stopping.aborted) return [];
        if (!passes(error)) throw error;
        failures += 1;
        if (failures === 1) out.say(`The relay at ${relayUrl} cannot be asked (${error.code}). Trying until it can.`);
        return [];
      }
    },
    pauseMs: (usualMs) => Math.min(usualMs * 2 ** Math.max(failures - 1, 0), MAX_PAUSE_MS),
  };
}

/** Whether the relay may answer otherwise in a moment: a wrong key stays wrong. */
function passes(error: unknown): error is RelayRefused | RelayUnreachable | RelayAnswerUnusable {
  if (error instanceof RelayRefused) return error.status === 429 || error.status >= 500;
  return error instanceof RelayUnreachable || (error instanceof RelayAnswerUnusable && error.status >= 500);
}

/** A signal that aborts as soon as one of both does. */
export function either(signal: AbortSignal | null | undefined, stopping: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, stopping]) : stopping;
}
