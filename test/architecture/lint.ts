import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Lints a small tree of files, by path, under the project's rules. Returns the linter's output: each finding after
 * the path, line and column of its file. One run checks many files, since the linter's start takes most of the time.
 */
export function lint(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-lint-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const args = ['lint', '--error-on-warnings', '--max-diagnostics=none'];
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), args, { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

/** The rules that a file breaks, according to the output of `lint`. */
export function brokenBy(output: string, path: string): string[] {
  const finding = new RegExp(`^${path.replaceAll('.', '\\.')}:\\d+:\\d+ (\\S+)`, 'gm');
  return [...output.matchAll(finding)].map(([, rule = '']) => rule);
}
