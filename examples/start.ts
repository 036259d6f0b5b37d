import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../sandbox/run.ts';
import { buildExample, type ExampleName, examples } from './build.ts';
import { createExample } from './server.ts';

const part = { name: 'example', variable: 'PORT_EXAMPLE', port: 8083 };

/** Starts the sandbox with an empty store and, beside it, the example that the command line names. */
async function main(name: string | undefined): Promise<void> {
  if (!isExample(name)) {
    console.error(`Which example? npm run example -- ${examples.join('|')}`);
    process.exitCode = 1;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-example-'));
  const example = await buildExample(name, folder);
  await run({
    root: join(import.meta.dirname, '..'),
    relayEntry: 'relay/main.ts',
    dataDir: join(folder, 'data'),
    beside: { part, title: `examples/${name}`, createApp: (relay) => createExample({ example, ...relay }) },
  });
  // The log of a relay that failed is of use.
  if (!process.exitCode) await rm(folder, { recursive: true });
}

function isExample(name: string | undefined): name is ExampleName {
  return examples.some((example) => example === name);
}

await main(process.argv[2]);
