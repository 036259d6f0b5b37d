import { EXIT, type ExitCode } from '../base/errors.ts';
import { type Io, type Style, styled } from '../base/io.ts';
import { type Output, plain } from '../base/output.ts';

/** How a check ended. `unknown`: the gateway's reaction does not tell. `skipped`: nothing was tried. */
type FindingStatus = 'ok' | 'wrong' | 'unknown' | 'skipped';

/** One check and what came of it. */
export type Finding = {
  check: string;
  status: FindingStatus;
  says: string;
  /** What to do next. */
  next?: string;
  /** The path of the setting that is wrong, and where it is known the value that works and the file's. */
  setting?: string;
  works?: unknown;
  file?: unknown;
};

/** A check that found nothing wrong. */
export function ok(check: string, says: string): Finding {
  return { check, status: 'ok', says };
}

/** A check that found something wrong, and what to do next. */
export function wrong(check: string, says: string, next: string): Finding {
  return { check, status: 'wrong', says, next };
}

/** A setting that is wrong, and the value that works. */
export function wrongSetting(
  check: string,
  { setting, works, file }: { setting: string; works: unknown; file: unknown },
  next?: string,
): Finding {
  const says = `${setting}: ${JSON.stringify(works)} works; the file says ${JSON.stringify(file)}`;
  return { check, status: 'wrong', says, setting, works, file, ...(next === undefined ? {} : { next }) };
}

/** A check whose result the gateway's reactions do not tell. */
export function cannotTell(check: string, why: string, next?: string): Finding {
  return {
    check,
    status: 'unknown',
    says: `cannot be told by a query: ${why}`,
    ...(next === undefined ? {} : { next }),
  };
}

/** A check that was not made. */
export function skipped(check: string, why: string, next?: string): Finding {
  return { check, status: 'skipped', says: why, ...(next === undefined ? {} : { next }) };
}

/** Something wrong is 1, else something that cannot be told is 4. What was skipped on purpose does not count. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  if (findings.some(({ status }) => status === 'wrong')) return EXIT.refused;
  return findings.some(({ status }) => status === 'unknown') ? EXIT.partly : EXIT.done;
}

const styles: Readonly<Record<FindingStatus, Style>> = { ok: 'green', wrong: 'red', unknown: 'yellow', skipped: 'dim' };

/** Prints a check a line, with what to do next under it; with `--json` an object a line. */
export async function printFindings(io: Io, out: Output, findings: readonly Finding[]): Promise<void> {
  if (out.isJson) return out.rows(findings, []);
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { check, status, says, next } of findings) {
    const mark = styled(io, io.out, styles[status], status.padEnd(7));
    io.out.write(`${mark}  ${check.padEnd(width)}  ${plain(says)}\n`);
    if (next !== undefined) io.out.write(`${' '.repeat(width + 11)}${plain(next)}\n`);
  }
}
