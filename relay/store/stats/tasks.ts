import { parentPort } from 'node:worker_threads';

/** What a thread posts for a task. Nothing is told of a failure: its text may quote what is stored. */
type TaskAnswer = { id: number; isDone: boolean; result?: unknown };

/** Lets this thread answer tasks, several at a time. */
export function answerTasks<Task>(answer: (task: Task) => Promise<unknown>): void {
  const post = (one: TaskAnswer): void => parentPort?.postMessage(one);
  parentPort?.on('message', ({ id, task }: { id: number; task: Task }) => {
    answer(task).then(
      (result) => post({ id, isDone: true, result }),
      () => post({ id, isDone: false }),
    );
  });
}
