import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';

/** A handler that has not ended, and the request that it works on. */
type Task = { route: string; response: ServerResponse };

/**
 * What is being done for requests. A handler works on when its shopper has gone, for the payment that it sent goes on too:
 * open connections do not tell whether the relay may stop.
 */
export type RunningHandlers = {
  /** Handlers of routes (see `countHandler`) that answer this response are counted here from now on. */
  watch(response: Response): void;
  count: CountTask;
  tasks(): Task[];
  /** Fulfilled when nothing is being done. */
  idle(): Promise<void>;
};

/** Counts a task until it ends. */
export type CountTask = (task: Task, end: Promise<unknown>) => void;

export function createRunningHandlers(): RunningHandlers {
  const running = new Set<Task>();
  let waiting: (() => void)[] = [];
  const count: CountTask = (task, end) => {
    running.add(task);
    const ended = (): void => {
      running.delete(task);
      if (running.size > 0) return;
      for (const tell of waiting) tell();
      waiting = [];
    };
    end.then(ended, ended);
  };
  return {
    watch: (response) => {
      response.locals.countTask = count;
    },
    count,
    tasks: () => [...running],
    idle: () => (running.size === 0 ? Promise.resolve() : new Promise((done) => waiting.push(done))),
  };
}

/** The same handler, counted while it works. `route` is the pattern of its path. */
export function countHandler(route: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const end: unknown = handler(req, res, next);
    if (!(end instanceof Promise)) return;
    res.locals.countTask?.({ route, response: res }, end);
    return end;
  };
}
