import type { ServerResponse } from 'node:http';
import type { RequestHandler, Response } from 'express';

/** A handler that has not ended, and its response. */
type Task = { route: string; response: ServerResponse };

/**
 * The running handlers. A handler continues after its client has disconnected, so open connections do not show whether
 * the relay may stop.
 */
export type RunningHandlers = {
  /** Counts the handlers of routes (see `countHandler`) that answer this response. */
  watch(response: Response): void;
  count: CountTask;
  tasks(): Task[];
  /** Fulfilled when no handler is running. */
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
      for (const done of waiting) done();
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

/** Counts a handler while it runs. `route` is the pattern of its path. */
export function countHandler(route: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    const end: unknown = handler(req, res, next);
    if (!(end instanceof Promise)) return;
    res.locals.countTask?.({ route, response: res }, end);
    return end;
  };
}
