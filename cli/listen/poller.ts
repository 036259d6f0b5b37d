import { RelayAnswerUnusable, RelayRefused, RelayUnreachable } from '../../client/index.ts';
import type { Output } from '../base/output.ts';
import type { Feed } from './feed.ts';

/** The pause between two reads of the list. */
export const POLL_MS = 1000;

const MAX_PAUSE_MS = 10_000;

export type Poller<Entry> = {
  /** New entries, oldest first; none while the relay cannot be reached. Throws errors that a retry cannot fix. */
  poll(stopping: AbortSignal): Promise<Entry[]>;
  /** The pause before the next read. It grows with each failed read. */
  pauseMs(usualMs: number): number;
};

export const NO_EVENTS =
  'The relay keeps no event of this account yet. It keeps them for accounts with a webhook in its configuration.';

/**
 * Reads new entries. Reports its begin, that the relay does not answer, and that it answers again, each once.
 * @param says the text at the begin, and the addition if there is no entry yet
 */
export function createPoller<Entry>(
  out: Output,
  feed: Feed<Entry>,
  relayUrl: string,
  says: { begins: string; isEmpty: string },
): Poller<Entry> {
  let failures = 0;
  let hasBegun = false;
  return {
    async poll(stopping) {
      try {
        const found = await feed.readNew();
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

/** Whether the relay may answer differently in a moment: a wrong key stays wrong. */
function passes(error: unknown): error is RelayRefused | RelayUnreachable | RelayAnswerUnusable {
  if (error instanceof RelayRefused) return error.status === 429 || error.status >= 500;
  return error instanceof RelayUnreachable || (error instanceof RelayAnswerUnusable && error.status >= 500);
}

/** A signal that aborts when one of two aborts. */
export function either(signal: AbortSignal | null | undefined, stopping: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, stopping]) : stopping;
}
