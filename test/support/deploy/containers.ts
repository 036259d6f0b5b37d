import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Pod } from './manifests.ts';

const SETS = ['bounding', 'effective', 'inheritable', 'permitted', 'ambient'];

/** The settings that umoci made of the image. */
const runtimeConfig = z.looseObject({
  process: z.looseObject({ args: z.array(z.string()), env: z.array(z.string()) }),
  root: z.looseObject({ path: z.string() }),
  mounts: z.array(z.looseObject({})),
  linux: z.looseObject({ namespaces: z.array(z.looseObject({ type: z.string() })) }),
});

/** A running container. */
export type Container = {
  output(): string;
  /** Runs a command in it as its own user, and returns what it prints. Throws if it fails. */
  exec(...command: string[]): string;
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>;
  ended: Promise<unknown>;
};

/**
 * Runs containers of a pod with runc, in the network of this machine, from `bundle`, an unpacked image. `folders` are the contents of
 * the pod's volumes by their names; the others begin empty. Seccomp is not applied.
 */
export function podRunner(bundle: string, pod: Pod, folders: Record<string, string>) {
  const image = runtimeConfig.parse(JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')));
  const state = join(bundle, '../runc');
  const folderOf = (volume: string): string => {
    const given = folders[volume];
    if (given !== undefined) return given;
    const empty = join(bundle, '../volumes', volume);
    mkdirSync(empty, { recursive: true });
    chownSync(empty, 1000, 1000);
    return empty;
  };

  const start = (name: string, env: readonly string[] = []): Container => {
    const found = [...pod.spec.initContainers, ...pod.spec.containers].find((one) => one.name === name);
    if (!found) throw new Error(`the pod has no container ${name}`);
    const mounts = found.volumeMounts.map((mount) => ({
      destination: mount.mountPath,
      type: 'bind',
      source: folderOf(mount.name),
      options: ['bind', mount.readOnly ? 'ro' : 'rw', 'nosuid', 'nodev'],
    }));
    const set = found.env.flatMap((one) => (one.value === undefined ? [] : `${one.name}=${one.value}`));
    const { process, root, linux } = image;
    const config = {
      ...image,
      process: {
        ...process,
        terminal: false,
        noNewPrivileges: true,
        capabilities: Object.fromEntries(SETS.map((one) => [one, []])),
        args: found.command ?? process.args,
        env: [...process.env, ...set, ...env],
      },
      root: { ...root, readonly: true },
      mounts: [...image.mounts, ...mounts],
      linux: { ...linux, namespaces: linux.namespaces.filter(({ type }) => type !== 'network') },
    };
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(config));
    const id = `turnpike-${name}-${globalThis.process.pid}`;
    const runc = spawn('runc', ['--root', state, 'run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [runc.stdout, runc.stderr]) stream.on('data', (data) => (output += String(data)));
    const ended = once(runc, 'close');
    return {
      output: () => output,
      exec: (...command) => execFileSync('runc', ['--root', state, 'exec', id, ...command], { encoding: 'utf8' }),
      async stop() {
        if (runc.exitCode === null) execFileSync('runc', ['--root', state, 'kill', id, 'TERM']);
        await ended;
        return runc.exitCode;
      },
      ended,
    };
  };
  return { start, folderOf };
}
