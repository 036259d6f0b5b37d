import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { collect } from '../../stats/collect.ts';
import type { StatsTask } from '../../stats/search.ts';
import { nextStep } from '../../stats/step.ts';
import { answerTasks } from '../../stats/tasks.ts';
import { sqliteStatsReads } from './reads.ts';

/** How long it waits for a file that is locked, which it hardly ever is for readers. */
const LOCKED_MS = 5000;

const { path }: { path: string } = workerData;
const reads = sqliteStatsReads(new DatabaseSync(path, { readOnly: true, timeout: LOCKED_MS }));
answerTasks((task: StatsTask) => (task.kind === 'figures' ? collect(reads, task.search) : nextStep(reads, task.span)));
