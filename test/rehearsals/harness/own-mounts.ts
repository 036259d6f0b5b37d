import { spawnSync } from 'node:child_process';

/**
 * A command that runs the one after it in a mount namespace of its own, in which `mounts`, a line of shell, was run. Users that
 * are not root need user namespaces for it. Throws if the system allows neither.
 */
export function ownMounts(mounts: string): string[] {
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const unshare = ['unshare', ...user, '--mount'];
  const [command = '', ...args] = unshare;
  if (spawnSync(command, [...args, 'true']).status !== 0) {
    throw new Error('needs root, or user namespaces and the command unshare (Debian: util-linux)');
  }
  return [...unshare, 'sh', '-ec', `${mounts}\nexec "$@"`, 'sh'];
}
