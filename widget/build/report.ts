import { gzipSync } from 'node:zlib';

/** One file that browsers load. `lazy` ones are loaded once they are needed. */
export type Asset = { file: string; part: 'loader' | 'form'; lazy: boolean; code: string };

/** The maximum sizes of what is loaded at once, in thousands of bytes (gzip). */
const BUDGETS_KB: Readonly<Record<Asset['part'], number>> = { loader: 2.5, form: 14 };

/** Names of the server's packages and libraries, which must not be in any script. */
const FORBIDDEN = [/zod/i, /ua-parser/i, /node:/i, /relay/i, /sandbox/i];

/** A line with the gzip size of each asset, and the problems: exceeded budgets and forbidden names. */
export function report(assets: readonly Asset[]): { lines: string[]; problems: string[] } {
  const lines = assets.map(
    (asset) => `${kb(gzipKb(asset))}  ${asset.file}${asset.lazy ? '  (loaded when needed)' : ''}`,
  );
  const budgets = Object.entries(BUDGETS_KB).flatMap(([part, budget]) => {
    const size = assets
      .filter((asset) => asset.part === part && !asset.lazy)
      .reduce((sum, asset) => sum + gzipKb(asset), 0);
    lines.push(`${kb(size)}  ${part}, loaded at once, of ${budget} KB`);
    return size > budget ? [`${part} is ${kb(size).trim()} gzip, over its ${budget} KB`] : [];
  });
  const strings = assets.flatMap(({ file, code }) =>
    FORBIDDEN.filter((pattern) => pattern.test(code)).map((pattern) => `${file} contains ${pattern}`),
  );
  return { lines, problems: [...budgets, ...strings] };
}

function gzipKb({ code }: Asset): number {
  return gzipSync(code, { level: 9 }).length / 1000;
}

function kb(size: number): string {
  return `${size.toFixed(2).padStart(6)} KB`;
}
