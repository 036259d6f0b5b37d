import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { z } from 'zod';
import { ANSWERS_FILE, answersFile } from '../harness/recorded-answers.ts';
import { answerQuestions, cpuUsage, sayListeningAt } from './ipc.ts';

/** The baseline of a whole checkout: Express 5 serves recorded answers of the relay as static files. */
const folder = z.string().parse(process.env.FOLDER);
const answers = answersFile.parse(JSON.parse(readFileSync(join(folder, ANSWERS_FILE), 'utf8')));

const app = express();
app.disable('x-powered-by');
for (const { method, route, file, headers } of answers) {
  app[method](route, (req, res) => {
    req.resume();
    res.set(headers).sendFile(file, { root: folder, etag: false, lastModified: false, cacheControl: false });
  });
}

answerQuestions(cpuUsage);
const server = app.listen(0, '127.0.0.1', () => sayListeningAt(server));
