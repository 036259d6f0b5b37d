import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../sandbox/run.ts';
import type { Beside } from '../sandbox/stack.ts';
import { buildExample, examples } from './build.ts';
import { createExample } from './server.ts';
import { servers } from './servers.ts';

const part = { name: 'example', variable: 'PORT_EXAMPLE', port: 8083 };

/** Starts the sandbox with an empty store, and the example on the command line beside it. */
async function main(name: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-example-'));
  const example = name === undefined ? undefined : await find(name, folder);
  if (!example) {
    console.error(`Which example? npm run example -- ${[...examples, ...Object.keys(servers)].join('|')}`);
    process.exitCode = 1;
  } else {
    await run({
      root: join(import.meta.dirname, '..'),
      relayEntry: 'relay/main.ts',
      dataDir: join(folder, 'data'),
      beside: { part, title: `examples/${name}`, ...example },
    });
  }
  // The log of a relay that failed is useful.
  if (!process.exitCode || !example) await rm(folder, { recursive: true });
}

async function find(name: string, folder: string): Promise<Omit<Beside, 'part' | 'title'> | undefined> {
  const server = Object.entries(servers).find(([known]) => known === name)?.[1];
  if (server) return server;
  const known = examples.find((page) => page === name);
  if (!known) return undefined;
  const example = await buildExample(known, folder);
  return { createApp: (surroundings) => createExample({ example, ...surroundings }) };
}

await main(process.argv[2]);
