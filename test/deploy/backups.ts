import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { startPostgres } from '../support/stores/postgres.ts';
import { debianPrograms } from './debian-postgres.ts';

/** The folder of the scripts. */
export const scripts = join(import.meta.dirname, '../../deploy');

type Ended = { code: number | null; out: string; err: string };

/** Runs a script, and waits until it has ended. */
export async function run(script: string, ...args: string[]): Promise<Ended> {
  return runIn(process.env, script, ...args);
}

/** The same with these variables. */
export async function runIn(env: NodeJS.ProcessEnv, script: string, ...args: string[]): Promise<Ended> {
  const child = spawn('sh', [join(scripts, script), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out: out.trim(), err: err.trim() };
}

/** A folder with the file of a store's address and the relay's config. */
export function files(store: string) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-backup-'));
  const [storeFile, config] = [join(folder, 'store'), join(folder, 'relay.json')];
  writeFileSync(storeFile, `${store}\n`);
  const write = (settings: object) => writeFileSync(config, JSON.stringify(settings, undefined, 2));
  write({ paused: true });
  return { folder, storeFile, config, write, backups: join(folder, 'backups') };
}

/** Three empty stores of a kind. */
export const kinds = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-stores-'));
    return ['old', 'new', 'scratch'].map((name) => `sqlite:${join(folder, name, 'turnpike.db')}`);
  },
  PostgreSQL: async () => {
    const server = await startPostgres({ programs: debianPrograms() });
    onTestFinished(() => server.close());
    return [await server.database(), await server.database(), await server.database()];
  },
};
