import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { buildClient } from '../../client/build.ts';

const root = join(import.meta.dirname, '../..');
const modules = join(root, 'node_modules');

/** What the packed client says of itself. */
const packedManifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  dependencies: z.record(z.string(), z.string()),
});

/**
 * A project of a shop that installed the client as `npm pack` makes it, with what its manifest asks for and Node's types, and
 * no other library of ours. `run` runs one of its files with Node, `check` type-checks some.
 */
export async function shopWithPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-shop-'));
  const built = join(folder, 'built');
  buildClient(built);
  const packed = await must('npm', ['pack', built, '--offline', '--pack-destination', folder], folder);
  const name = packed.trimEnd().split('\n').at(-1) ?? '';
  const installed = join(folder, 'node_modules/turnpike');
  mkdirSync(installed, { recursive: true });
  const files = await must('tar', ['-xzvf', join(folder, name), '-C', installed, '--strip-components=1'], folder);
  const manifest = packedManifest.parse(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  for (const library of [...Object.keys(manifest.dependencies), '@types/node']) install(library, folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  return {
    folder,
    /** The tarball's name, the paths of all that it holds, its manifest, and its page. */
    packed: { name, files: files.trim().split('\n'), manifest, readme },
    /** Adds one of our libraries, as the page says. */
    install: (library: string) => install(library, folder),
    write: (file: string, content: string) => writeFileSync(join(folder, file), content),
    run: (file: string, env: Record<string, string>) => execute(process.execPath, [file], folder, env),
    check: (...args: string[]) =>
      execute(join(modules, '.bin/tsc'), ['--noEmit', '--pretty', 'false', ...args], folder),
  };
}

function install(library: string, folder: string): void {
  const place = join(folder, 'node_modules', library);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(modules, library), place);
}

type Executed = { ok: boolean; output: string; errors: string };

function execute(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Executed> {
  return new Promise((done) => {
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const options = { cwd, env: { PATH, HOME, NODE_COMPILE_CACHE, ...env } };
    execFile(command, args, options, (error, output, errors) => done({ ok: error === null, output, errors }));
  });
}

async function must(command: string, args: string[], cwd: string): Promise<string> {
  const { ok, output, errors } = await execute(command, args, cwd);
  if (!ok) throw new Error(`${command} ${args.join(' ')} failed:\n${output}${errors}`);
  return output;
}
