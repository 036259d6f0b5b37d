import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../deploy/alerts.yml');

/** The alerts of deploy/alerts.yml, each with its text after `- alert: `, in the order of the file. */
export const alertRules = readFileSync(file, 'utf8')
  .split(/^ +- (?=\w+: )/m)
  .filter((text) => text.startsWith('alert: '))
  .map((text) => ({ name: text.split(/[ \n]/)[1] ?? '', text }));
