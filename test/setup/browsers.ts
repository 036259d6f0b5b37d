import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { findChromium, hasHeadlessShell } from '../support/browsers/chromium.ts';
import { findFirefox } from '../support/browsers/find-firefox.ts';
import { findWebKitDriver, findXvfb, hasWebKit } from '../support/browsers/find-webkit.ts';

/**
 * The programs that the tests need on the machine, Debian's packages of them, and the alternatives to installing
 * them.
 */
type Need = { name: string; packages: readonly string[]; isThere: () => boolean; instead?: string };

/** One font family of each package. Together they cover all languages of the form, in 5 MB. */
const typefaces = [
  { family: 'Liberation Sans', package: 'fonts-liberation' },
  // Hebrew and Vietnamese.
  { family: 'DejaVu Sans', package: 'fonts-dejavu-core' },
  // Arabic, Devanagari and Thai, as wide as on phones.
  { family: 'Noto Sans Thai UI', package: 'fonts-noto-ui-core' },
  // Chinese, Japanese and Korean.
  { family: 'WenQuanYi Micro Hei', package: 'fonts-wqy-microhei' },
] as const;

const needs: readonly Need[] = [
  {
    name: 'Chromium',
    packages: ['chromium', 'chromium-headless-shell'],
    isThere: () => findChromium() !== undefined && hasHeadlessShell(),
    instead: 'set CHROMIUM_PATH',
  },
  {
    name: 'Firefox',
    packages: ['firefox-esr'],
    isThere: () => findFirefox() !== undefined,
    instead: 'set FIREFOX_PATH',
  },
  {
    name: 'WebKitGTK',
    packages: ['webkit2gtk-driver', 'xvfb'],
    isThere: () => !hasWebKit || (findWebKitDriver() !== undefined && findXvfb() !== undefined),
    instead: 'set WEBKIT_DRIVER_PATH and XVFB_PATH',
  },
  {
    name: 'fonts of the form’s languages',
    packages: ['fontconfig', ...typefaces.map((typeface) => typeface.package)],
    isThere: () => typefaces.every(({ family }) => hasFont(family)),
  },
  // For running and checking the files of deploy/.
  {
    name: 'nginx',
    packages: ['nginx-light', 'openssl'],
    isThere: () => existsSync('/usr/sbin/nginx') && runs('openssl'),
  },
  { name: 'promtool', packages: ['prometheus'], isThere: () => runs('promtool') },
  { name: 'amtool', packages: ['prometheus-alertmanager'], isThere: () => runs('amtool') },
  {
    name: 'exporters of Prometheus',
    packages: ['prometheus-node-exporter', 'prometheus-postgres-exporter', 'prometheus-blackbox-exporter'],
    isThere: () => ['node', 'postgres', 'blackbox'].every((name) => runs(`prometheus-${name}-exporter`)),
  },
  { name: 'shellcheck', packages: ['shellcheck'], isThere: () => runs('shellcheck') },
  { name: 'sqlite3', packages: ['sqlite3'], isThere: () => runs('sqlite3') },
  { name: 'systemd', packages: ['systemd'], isThere: () => runs('systemd-analyze') },
  { name: 'ssh-keygen', packages: ['openssh-client'], isThere: () => runs('ssh-keygen') },
  // For making and running the image.
  {
    name: 'mmdebstrap with runc and umoci',
    packages: ['mmdebstrap', 'runc', 'umoci'],
    isThere: () => ['mmdebstrap', 'runc', 'umoci'].every(runs),
  },
  {
    name: 'PostgreSQL’s server and client',
    packages: ['postgresql', 'postgresql-client'],
    isThere: () => globSync('/usr/lib/postgresql/*/bin/initdb').length > 0 && runs('pg_dump'),
  },
  { name: 'PgBouncer', packages: ['pgbouncer'], isThere: () => existsSync('/usr/sbin/pgbouncer') },
];

/** Whether a program exists. */
function runs(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/**
 * Tests that fit texts need real fonts. Systems other than Linux include them. On Linux, ask fontconfig, as browsers
 * do.
 */
function hasFont(family: string): boolean {
  if (process.platform !== 'linux') return true;
  const { stdout } = spawnSync('fc-list', [family, 'family'], { encoding: 'utf8' });
  return Boolean(stdout?.trim());
}

/** Ensures that the tests have browsers, fonts and servers: installs Debian's if this user may, or says what to do. */
function main(): void {
  const missing = needs.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall) {
    const packages = missing.flatMap((need) => need.packages);
    console.log(`Installing ${packages.join(', ')} for the tests …`);
    const quietly: SpawnSyncOptions = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    };
    spawnSync('apt-get', ['update'], quietly);
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], quietly);
  }
  const absent = missing.filter(({ isThere }) => !isThere());
  if (absent.length === 0) return;
  const names = absent.map(({ name, instead }) => (instead ? `${name} (or ${instead})` : name));
  const command = `apt-get install --no-install-recommends ${absent.flatMap(({ packages }) => packages).join(' ')}`;
  console.error(`The tests need what this machine does not have: ${names.join(', ')}. Debian, as root: ${command}`);
  process.exitCode = 1;
}

main();
