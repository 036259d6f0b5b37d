import { EXIT, type ExitCode } from './errors.ts';
import type { Finding, FindingStatus } from './finding.ts';
import { type Io, type Style, styled } from './io.ts';
import { type Output, plain } from './output.ts';

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
