import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { keyringOf } from '../base/keyring.ts';
import { type Profiles, profilesFile, readProfiles } from '../base/settings.ts';

/** A key file that a login writes, relative to `profiles.json`. Other key files belong to the person. */
const keyFileOf = (name: string): string => `logins/${name}.key`;

/**
 * Stores a relay's address and key: the key in the system's keyring, or without a keyring in a file that only its owner
 * can read. Returns where the key is. Throws UsageError.
 */
export function keepProfile(io: Io, name: string, { url, apiKey }: { url: string; apiKey: string }): string {
  const file = profilesFile(io);
  // Read before anything is stored, so that a file which is no list of profiles is not replaced.
  const known = readProfiles(io) ?? {};
  const keyFile = join(dirname(file), keyFileOf(name));
  const keyring = keyringOf(io);
  if (keyring?.store(name, apiKey)) {
    writeProfiles(file, { ...known, [name]: { url, keyring: true } });
    rmSync(keyFile, { force: true });
    return keyring.name;
  }
  writePrivate(keyFile, `${apiKey}\n`);
  // A locked keyring may still contain the key of an earlier login: `logout` tries again.
  const mayBeInKeyring = keyring !== undefined && (!keyring.remove(name) || known[name]?.keyring === true);
  const inKeyring = mayBeInKeyring ? ({ keyring: true } as const) : {};
  writeProfiles(file, { ...known, [name]: { url, key_file: keyFileOf(name), ...inKeyring } });
  return keyFile;
}

/** Deletes a profile and its key. Throws UsageError, also for a profile with a key file of the person's own. */
export function forgetProfile(io: Io, name: string): void {
  const file = profilesFile(io);
  const { [name]: profile, ...others } = readProfiles(io) ?? {};
  if (!profile) throw new UsageError(`There is no profile ${name} in ${file}.`);
  const { key_file, keyring } = profile;
  if (key_file !== undefined && key_file !== keyFileOf(name)) {
    throw new UsageError(
      `The key of the profile ${name} is in ${key_file}.`,
      `Remove the profile from ${file} yourself.`,
    );
  }
  const isRemoved = keyringOf(io)?.remove(name) ?? !keyring;
  if (!isRemoved) {
    throw new UsageError(`The keyring still has the key of the profile ${name}.`, 'Unlock it, and try again.');
  }
  writeProfiles(file, others);
  rmSync(join(dirname(file), keyFileOf(name)), { force: true });
}

function writeProfiles(file: string, profiles: Profiles): void {
  writePrivate(file, `${JSON.stringify({ profiles }, undefined, 2)}\n`);
}

/** Writes a file that only its owner can read, completely or not at all. Throws UsageError. */
function writePrivate(path: string, text: string): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`Cannot write ${path} (${codeOf(error)}).`);
  }
}
