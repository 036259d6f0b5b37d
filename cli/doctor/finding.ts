import { EXIT, type ExitCode } from '../base/errors.ts';
import { type Io, type Style, styled } from '../base/io.ts';
import { type Output, plain } from '../base/output.ts';

/** The result of a check. `unknown`: the gateway's reaction proves nothing. `skipped`: the check was not made. */
type FindingStatus = 'ok' | 'wrong' | 'unknown' | 'skipped';

/** The path of a wrong setting, with the working value and the file's value if they are known. */
type Setting = { setting?: string; works?: unknown; file?: unknown };

/** One check and its result. `next` is the advice. */
export type Finding = Setting & { check: string; status: FindingStatus; says: string; next?: string };

/** A check that found nothing wrong. */
export function ok(check: string, says: string): Finding {
  return { check, status: 'ok', says };
}

/** A check that found a fault, with the advice and the setting. */
export function wrong(check: string, says: string, next?: string, about: Setting = {}): Finding {
  return { check, status: 'wrong', says, ...about, next };
}

/** A wrong setting, and the value that works. */
export function wrongSetting(check: string, about: Required<Setting>, next?: string): Finding {
  const { setting, works, file } = about;
  return wrong(check, `${setting}: ${JSON.stringify(works)} works; the file says ${JSON.stringify(file)}`, next, about);
}

/** A check without a result. */
export function unknown(check: string, says: string, next?: string): Finding {
  return { check, status: 'unknown', says, next };
}

/** A check that the gateway's reactions do not decide. */
export function cannotTell(check: string, why: string, next?: string): Finding {
  return unknown(check, `cannot be checked by a query: ${why}`, next);
}

/** A check that was not made. */
export function skipped(check: string, says: string, next?: string): Finding {
  return { check, status: 'skipped', says, next };
}

/** The exit code: 1 if a check found something wrong, else 4 if a check has no result. Skipped checks do not count. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  if (findings.some(({ status }) => status === 'wrong')) return EXIT.refused;
  return findings.some(({ status }) => status === 'unknown') ? EXIT.partly : EXIT.done;
}

const styles: Readonly<Record<FindingStatus, Style>> = { ok: 'green', wrong: 'red', unknown: 'yellow', skipped: 'dim' };

/** Prints one line for each check, with the advice below it; with `--json` one object in each line. */
export async function printFindings(io: Io, out: Output, findings: readonly Finding[]): Promise<void> {
  if (out.isJson) return out.rows(findings, []);
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, says, next } of findings) {
    const mark = styled(io, io.out, styles[status], status.padEnd(7));
    io.out.write(`${mark}  ${check.padEnd(width)}  ${plain(says)}\n`);
    if (next !== undefined) io.out.write(`${' '.repeat(width + 11)}${plain(next)}\n`);
  }
}
