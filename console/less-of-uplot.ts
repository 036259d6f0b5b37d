import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** The replacements, in the order of the file. Each text occurs exactly once in the version that we use. */
const cuts: readonly (readonly [what: string, from: RegExp, to: string])[] = [
  ['dates', /\nconst \[ timeIncrsMs,.*\n.*genTimeStuffs\(1e-3\);/, '\nconst timeIncrsMs = 0, timeIncrsS = 0;'],
  ['dates', /const FEAT_TIME += true/, 'const FEAT_TIME = false'],
  [
    'bands',
    /let \[ bandFillDir, bandClipDir \] = bandFillClipDirs\(u, seriesIdx\);/,
    'const bandFillDir = 0, bandClipDir = 0;',
  ],
  ['points without order', /mode: ifNull\(opts\.mode, 1\),/, 'mode: 1,'],
  ['points without order', /const mode = self\.mode;/, 'const mode = 1;'],
  ['other scales', /sc\.distr == 3 \? snapLogX : sc\.distr == 4 \? snapAsinhX : /, ''],
  ['other scales', /sc\.distr == 3 \? snapLogY : sc\.distr == 4 \? snapAsinhY : /, ''],
  ['dates', /\tconst _timeAxisSplits =.*\n.*_timeAxisVals +=.*\n.*_timeSeriesVal +=.*/, '\tconst _timeAxisSplits = 0;'],
  ['legends', /const showLegend = legend\.show;/, 'const showLegend = false;'],
  ['legends', /if \(legend\.live\) \{/, 'if (false) {'],
  ['dates', /isTime \? \(isStr\(sv\) \?.*: sv \|\| numSeriesVal/, 'sv || numSeriesVal'],
  ['other scales', /sc\.distr == 3 \? logAxisSplits : sc\.distr == 4 \? asinhAxisSplits : /, ''],
  ['dates', /isTime \? \(\n\s*\/\/ config array[\s\S]*?\) : av \|\| numAxisVals/, 'av || numAxisVals'],
  ['other scales', /\(\s+sc\.distr >= 3 && sc\.log == 10 \? log10AxisValsFilt .*: retArg1\)/, 'retArg1'],
  ['bands', /flags != 0 && bands\.forEach\(/, 'false && bands.forEach('],
  ['other paths', /\nuPlot\.assign = assign;[\s\S]*?(?=\nexport \{)/, ''],
];

/** Removes unused parts from uPlot: 6 of its 22 KB. The build fails if another version of uPlot differs there. */
export const lessOfUPlot: Plugin = {
  name: 'less-of-uplot',
  enforce: 'pre',
  load: (id) => (id.endsWith('/uplot/dist/uPlot.esm.js') ? withLess(readFileSync(id, 'utf8')) : undefined),
};

function withLess(code: string): string {
  return cuts.reduce((rest, [what, from, to]) => {
    if (!from.test(rest)) throw new Error(`Look how ${what} can be taken out of this uPlot: ${from} is not in it`);
    return rest.replace(from, to);
  }, code);
}
