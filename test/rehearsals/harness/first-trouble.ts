import { readFileSync } from 'node:fs';
import { z } from 'zod';

const line = z.object({
  level: z.string(),
  time: z.string(),
  msg: z.string(),
  code: z.string().optional(),
  reason: z.string().optional(),
  part: z.string().optional(),
});

const TROUBLE: readonly string[] = ['warn', 'error', 'fatal'];

/**
 * Describes the first warning or error in these logs since a time, and the first one that names the lost part, if that is another
 * line. Undefined if there is none.
 */
export function firstTrouble(logs: readonly string[], since: Date): string | undefined {
  const lines = logs
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .flatMap(troubleIn)
    .filter(({ time }) => new Date(time) >= since)
    .toSorted((one, other) => one.time.localeCompare(other.time));
  const [first] = lines;
  if (!first) return undefined;
  const naming = lines.find(({ part }) => part !== undefined) ?? first;
  return [...new Set([first, naming])].map((one) => inWords(one, since)).join('; then ');
}

function inWords({ level, msg, time, part, code, reason }: z.infer<typeof line>, since: Date): string {
  const seconds = ((Date.parse(time) - since.getTime()) / 1000).toFixed(1);
  const cause = [part, code ?? reason].filter((word) => word !== undefined).join(' ');
  return `${level} “${msg}”${cause && ` ${cause}`}, ${seconds} s after`;
}

/** The line, if it is a warning or an error. A relay that cannot start also writes lines that are not JSON. */
function troubleIn(text: string): z.infer<typeof line>[] {
  if (!text.startsWith('{')) return [];
  const read = line.safeParse(JSON.parse(text)).data;
  return read && TROUBLE.includes(read.level) ? [read] : [];
}
