import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The checks before the tests, in parallel: style, types, and the build, which the tests load. */
const commands = ['biome ci --colors=off --error-on-warnings .', 'tsc --noEmit', 'npm run --silent build'];

const root = join(import.meta.dirname, '../..');
const PATH = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;

/** Runs a command and, once it has ended, prints its output under its name. Returns false if it failed. */
function run(command: string): Promise<boolean> {
  const begunAt = performance.now();
  const child = spawn('/bin/sh', ['-c', `${command} 2>&1`], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  return new Promise((done) => {
    child.on('close', (code) => {
      const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok' : 'FAILED'}  ${command}  (${seconds} s)`);
      if (code !== 0) console.log(output);
      done(code === 0);
    });
  });
}

const results = await Promise.all(commands.map(run));
if (results.includes(false)) process.exitCode = 1;
