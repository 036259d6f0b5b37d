import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import type { Visit } from './visits.ts';

/** The index of recorded answers: the route, the headers, and the file with the body of each. */
export const answersFile = z.array(
  z.object({
    method: z.enum(['get', 'post']),
    route: z.string(),
    headers: z.record(z.string(), z.string()),
    file: z.string(),
  }),
);
/** The name of the index file. */
export const ANSWERS_FILE = 'answers.json';

/** Headers that the server which replays the answers sets itself. */
const CONNECTION_HEADERS = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-ranges',
]);

/** Makes a visit and writes its answers, unchanged, to files in a folder. */
export async function recordVisit(origin: string, visit: Visit, folder: string): Promise<void> {
  const answers: z.infer<typeof answersFile> = [];
  for (const [at, { method, path, headers, body }] of visit.entries()) {
    const answer = await request(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const file = `${at}.bytes`;
    writeFileSync(join(folder, file), Buffer.from(await answer.body.arrayBuffer()));
    const sent = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      CONNECTION_HEADERS.has(name) || value === undefined ? [] : [[name, String(value)]],
    );
    answers.push({
      method: method === 'GET' ? 'get' : 'post',
      route: path.replace(/\/cs_[^/]+/, '/:id'),
      headers: Object.fromEntries(sent),
      file,
    });
  }
  writeFileSync(join(folder, ANSWERS_FILE), JSON.stringify(answers));
}
