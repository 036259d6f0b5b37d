import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** Commands that a reader's machine has, or that npm installs. */
const knownCommands = [
  /^npm (ci|test|start|pack|install|init|pkg)\b/,
  /^npx tsc --noEmit$/,
  /^npx playwright (test|install chromium)$/,
  /^npx --no-install turnpike sandbox$/,
  /^export [A-Z_]+=\S/,
  /^(printf|openssl dgst|cut|echo|mkdir|cd)\b/,
];

/**
 * Checks that the commands of a shell block exist: scripts of package.json, examples, files. Throws if one does not.
 */
export function checkShell(code: string): void {
  const lines = code.replace(/\\\n/g, ' ').split('\n');
  const commands = lines
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .flatMap((line) => line.split(/ (?:&&|\|) /))
    .filter(Boolean);
  if (commands.length === 0) throw new Error('a shell block without a command');
  for (const command of commands) checkCommand(command.replace(/^(?:[A-Z_]+=\S+ )+/, '').trim());
}

function checkCommand(command: string): void {
  const [program, verb, name = '', ...rest] = command.split(/\s+/);
  if (program === 'npm' && verb === 'run') {
    if (!(name in scripts)) throw new Error(`package.json has no script for: ${command}`);
    const [dashes, example] = rest;
    if (name === 'example' && !(dashes === '--' && existsSync(join(root, 'examples', example ?? '?')))) {
      throw new Error(`examples/ has nothing for: ${command}`);
    }
    return;
  }
  if (program === 'npx' && verb === 'vitest' && name === 'run') {
    const missing = rest.filter((path) => !existsSync(join(root, path)));
    if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
    return;
  }
  if (!knownCommands.some((known) => known.test(command)))
    throw new Error(`no check exists for this command: ${command}`);
}
