import { spawnSync } from 'node:child_process';

/**
 * A command prefix: the command after it runs in its own mount namespace, after the shell command `mounts`. Needs root or user
 * namespaces; throws if there is neither.
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
