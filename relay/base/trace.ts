import { AsyncLocalStorage } from 'node:async_hooks';

/** What some work is done for: a request, or a poll that no request asked for; and the attempt or operation that it sends. */
export type Trace = {
  request_id?: string;
  poller?: string;
  session?: string;
  attempt?: string;
  operation?: string;
};

const traces = new AsyncLocalStorage<Trace>();

/** Does some work so that every log line written meanwhile, by whatever it calls, tells what it is done for. */
export function traced<Result>(trace: Trace, work: () => Result): Result {
  return traces.run({ ...traces.getStore(), ...trace }, work);
}

/** What is being done now. */
export function currentTrace(): Trace {
  return traces.getStore() ?? nothing;
}

const nothing: Trace = {};
