import { existsSync, readdirSync } from 'node:fs';

const VERSIONS = '/usr/lib/postgresql';

/** The programs of the newest installed Debian server: its clients accept no newer server. */
export function debianPrograms(): string {
  const [newest] = readdirSync(VERSIONS)
    .filter((version) => existsSync(`${VERSIONS}/${version}/bin/initdb`))
    .toSorted((one, other) => Number(other) - Number(one));
  if (newest === undefined) throw new Error('install Debian’s package postgresql');
  return `${VERSIONS}/${newest}/bin`;
}
