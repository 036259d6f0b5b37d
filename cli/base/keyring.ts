import { spawnSync } from 'node:child_process';
import type { Io } from './io.ts';

/**
 * The system's keyring, which stores the API keys of profiles. Keys pass through the standard input and output of the
 * system's own programs, because every user of a machine can see the arguments of commands.
 */
export type Keyring = {
  name: string;
  /** Stores the key of a profile. False if the keyring did not store it: there is none, or it is locked. */
  store(profile: string, key: string): boolean;
  read(profile: string): string | undefined;
  /** False if the key is still there. */
  remove(profile: string): boolean;
};

/** The program of a keyring: its calls, each with its arguments and its standard input. */
type Program = {
  name: string;
  command: string;
  store(profile: string, key: string): { args: string[]; input: string };
  read(profile: string): string[];
  remove(profile: string): string[];
};

/** The keyring of a system; undefined for an unknown system. Its program may be missing. */
export function keyringOf({ env }: Pick<Io, 'env'>, platform: NodeJS.Platform = process.platform): Keyring | undefined {
  const program = programs[platform];
  if (!program) return undefined;
  const run = (args: string[], input = ''): string | undefined => {
    const { status, stdout } = spawnSync(program.command, args, { env, input, encoding: 'utf8' });
    return status === 0 ? stdout.replace(/\n$/, '') : undefined;
  };
  const read = (profile: string): string | undefined => run(program.read(profile)) || undefined;
  return {
    name: program.name,
    read,
    store(profile, key) {
      const { args, input } = program.store(profile, key);
      run(args, input);
      // Neither program reports every failure to store a key.
      return read(profile) === key;
    },
    remove(profile) {
      run(program.remove(profile));
      return read(profile) === undefined;
    },
  };
}

const attributes = (profile: string): string[] => ['service', 'turnpike', 'profile', profile];
const account = (profile: string): string[] => ['-s', 'turnpike', '-a', profile];

const programs: Readonly<Partial<Record<NodeJS.Platform, Program>>> = {
  linux: {
    name: 'the keyring (secret-tool)',
    command: 'secret-tool',
    store: (profile, key) => ({
      args: ['store', `--label=Turnpike API key, profile ${profile}`, ...attributes(profile)],
      input: key,
    }),
    read: (profile) => ['lookup', ...attributes(profile)],
    remove: (profile) => ['clear', ...attributes(profile)],
  },
  darwin: {
    name: 'the keychain',
    command: 'security',
    // It reads whole commands from its input. A password can only be given there, on a terminal, or as an argument.
    store: (profile, key) => ({
      args: ['-i'],
      input: `add-generic-password -U ${account(profile).join(' ')} -X ${Buffer.from(key).toString('hex')}\n`,
    }),
    read: (profile) => ['find-generic-password', ...account(profile), '-w'],
    remove: (profile) => ['delete-generic-password', ...account(profile)],
  },
};
