import { spawn } from 'node:child_process';

/** Shares a range of seeds among processes of this program, called with the same arguments. Gives the worst exit code. */
export async function runInParallel(
  { seed, runs, jobs }: { seed: number; runs: number; jobs: number },
  args: readonly string[],
): Promise<number> {
  const share = Math.ceil(runs / jobs);
  const codes = await Promise.all(
    Array.from({ length: jobs }, (_, at) => {
      const own = Math.min(share, runs - at * share);
      // The last value of an option counts.
      const mine = [...args, '--jobs=1', `--seed=${seed + at * share}`, `--runs=${own}`];
      const child = spawn(process.execPath, [process.argv[1] ?? '', ...mine], { stdio: 'inherit' });
      return new Promise<number>((done) => child.on('exit', (code) => done(code ?? 1)));
    }),
  );
  return Math.max(...codes);
}
