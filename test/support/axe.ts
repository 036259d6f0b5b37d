import axe, { type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in a page or frame, WCAG 2.2 AA and good practice: a line for each element, none when all is well. */
export async function axeFindings(target: Page | Frame): Promise<string[]> {
  // Off by default while it is new.
  return run(target, { runOnly: { type: 'tag', values: TAGS }, rules: { 'target-size': { enabled: true } } });
}

/** The texts whose colour stands out too little from what is behind them. */
export async function contrastFindings(target: Page | Frame): Promise<string[]> {
  return run(target, { runOnly: { type: 'rule', values: ['color-contrast'] } });
}

async function run(target: Page | Frame, options: RunOptions): Promise<string[]> {
  if (!(await target.evaluate(() => 'axe' in window))) await target.evaluate(axe.source);
  return target.evaluate(async (chosen) => {
    const { violations } = await window.axe.run({
      ...chosen,
      resultTypes: ['violations'],
      iframes: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
  }, options);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
