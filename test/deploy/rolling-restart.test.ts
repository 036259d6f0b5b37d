import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const script = join(import.meta.dirname, '../../deploy/rolling-restart.sh');

/**
 * Runs the script with a stub of `systemctl`: `units` has the state of each unit by its port, and the one at port `broken` does not
 * start.
 * @returns also the ports of the restarted units, in order
 */
function rollingRestart(units: Readonly<Record<number, string>>, { broken = 0, type = 'notify' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-rolling-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [log, systemctl] = [join(folder, 'log'), join(folder, 'systemctl')];
  const lines = Object.entries(units).map(
    ([port, state]) => `turnpike-relay@${port}.service loaded ${state} running Turnpike relay on port ${port}`,
  );
  writeFileSync(log, '');
  writeFileSync(
    systemctl,
    `#!/bin/sh
case "$1 $2" in
'list-units '*) printf '%s' '${lines.map((line) => `${line}\n`).join('')}' ;;
'show --property=Type') echo ${type} ;;
'show --property=StatusText') echo 'Not started (store, 28P01): the store' ;;
'restart turnpike-relay@${broken}.service') echo ${broken} >>${log}; exit 1 ;;
'restart '*) echo "$2" | sed 's/.*@//; s/.service//' >>${log} ;;
*) exit 9 ;;
esac
`,
  );
  chmodSync(systemctl, 0o755);
  const env = { PATH: [folder, '/usr/bin', '/bin'].join(delimiter) };
  const { status, stdout, stderr } = spawnSync('sh', [script], { env, encoding: 'utf8' });
  const restarted = readFileSync(log, 'utf8').split('\n').filter(Boolean).map(Number);
  return { status, stdout, stderr, restarted };
}

it('restarts one relay after the other', () => {
  const { status, stdout, restarted } = rollingRestart({ 8101: 'active', 8102: 'active' });
  expect({ status, restarted }).toEqual({ status: 0, restarted: [8101, 8102] });
  expect(stdout).toBe('turnpike-relay@8101.service is ready\nturnpike-relay@8102.service is ready\n');
});

it('stops if a relay does not start, and says why', () => {
  const { status, stderr, restarted } = rollingRestart({ 8101: 'active', 8102: 'active' }, { broken: 8101 });
  expect({ status, restarted }).toEqual({ status: 1, restarted: [8101] });
  expect(stderr).toContain('not restarted: turnpike-relay@8102.service');
  expect(stderr).toContain('turnpike-relay@8101.service did not start. Not started (store, 28P01): the store');
});

it('begins with the relays that do not run', () => {
  const units = { 8101: 'active', 8102: 'activating', 8103: 'failed' };
  expect(rollingRestart(units, { broken: 8103 }).restarted).toEqual([8102, 8103]);
});

it('restarts no unit for which systemd does not wait', () => {
  const { status, stderr, restarted } = rollingRestart({ 8101: 'active' }, { type: 'exec' });
  expect({ status, restarted }).toEqual({ status: 1, restarted: [] });
  expect(stderr).toContain('turnpike-relay@8101.service has Type=exec');
});

it('fails if no relay runs', () => {
  expect(rollingRestart({})).toMatchObject({ status: 1, restarted: [] });
});
