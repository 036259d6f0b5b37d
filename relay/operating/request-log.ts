import { StoreError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { logFailure, type Polling, pause, startPolling } from '../base/polling.ts';
import type { RequestLog } from '../context/context.ts';
import type { StoredRequest } from '../store/facets/logs/requests.ts';
import type { Store } from '../store/store.ts';

/** The pause between two writes. */
const WRITE_MS = 1000;

/** The pause after a failed write. */
const RETRY_MS = 5000;

/** The maximum number of requests in one write: SQLite writes on the thread of payments. */
const MAX_AT_ONCE = 200;

/**
 * The maximum number of waiting requests while the store is lost or slow. Further ones are dropped, so that the log
 * delays no payment and uses little memory.
 */
const MAX_WAITING = 10_000;

/**
 * Writes the request log in batches, until stopped. Added requests are not durable until they are written: a crash
 * loses them. Requests above the limit, or refused by the store, are dropped and counted.
 */
export function startRequestLog(parts: {
  store: Pick<Store, 'requests'>;
  metrics: Metrics;
  log: Logger;
}): RequestLog & Polling {
  const { store, metrics, log } = parts;
  const waiting: StoredRequest[] = [];

  const writeSome = async (): Promise<void> => {
    const batch = waiting.slice(0, MAX_AT_ONCE);
    try {
      await store.requests.add(batch);
    } catch (error) {
      // If the store is lost, the batch waits. A batch that the store refuses would be refused again.
      if (error instanceof StoreError && error.reason !== undefined) throw error;
      metrics.requestsDropped(batch.length);
      logFailure(log, 'request_log', error);
    }
    waiting.splice(0, batch.length);
  };

  const polls = startPolling(log, 'request_log', WRITE_MS, async (stopping) => {
    try {
      while (waiting.length > 0 && !stopping.aborted) await writeSome();
    } catch (error) {
      logFailure(log, 'request_log', error);
      await pause(RETRY_MS, stopping);
    }
  });

  return {
    add(request) {
      if (waiting.length < MAX_WAITING) waiting.push(request);
      else metrics.requestsDropped(1);
    },
    async stop() {
      await polls.stop();
      try {
        while (waiting.length > 0) await writeSome();
      } catch (error) {
        logFailure(log, 'request_log', error);
        metrics.requestsDropped(waiting.length);
      }
    },
  };
}
