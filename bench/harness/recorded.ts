import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import type { Visit } from './visits.ts';

/** The answers of one visit: each with the route that it is for, its headers, and the file that has its bytes. */
export const answersFile = z.array(
  z.object({
    method: z.enum(['get', 'post']),
    route: z.string(),
    headers: z.record(z.string(), z.string()),
    file: z.string(),
  }),
);
export const ANSWERS_FILE = 'answers.json';

/** What each connection adds by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'accept-ranges']);

/** Makes a visit and writes each of its answers into a folder, byte for byte. */
export async function recordVisit(origin: string, visit: Visit, folder: string): Promise<void> {
  const answers: z.infer<typeof answersFile> = [];
  for (const [at, { method, path, headers, body }] of visit.entries()) {
    const answer = await request(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const file = `${at}.bytes`;
    writeFileSync(join(folder, file), Buffer.from(await answer.body.arrayBuffer()));
    const sent = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      OWN.has(name) || value === undefined ? [] : [[name, String(value)]],
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
