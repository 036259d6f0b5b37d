import axe, { type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** WCAG 2.2 AA and good practice. The size of targets is off by default while it is new. */
export const everyRule: RunOptions = {
  runOnly: { type: 'tag', values: TAGS },
  rules: { 'target-size': { enabled: true } },
};

/** Texts whose colour stands out too little from what is behind them. */
export const contrast: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** What axe finds in a page or frame by some rules, or all: a line for each element, none when all is well. */
export async function axeFindings(target: Page | Frame, rules = everyRule): Promise<string[]> {
  await loadAxe(target);
  return target.evaluate(findings, rules);
}

/** Brings axe into a page or frame, where it has not been brought yet. */
export async function loadAxe(target: Page | Frame): Promise<void> {
  if (!(await target.evaluate(() => 'axe' in window))) await target.evaluate(axe.source);
}

/** Runs in the browser, once axe is there: a line for each element that breaks one of these rules. */
export async function findings(options: RunOptions): Promise<string[]> {
  const { violations } = await window.axe.run({ ...options, resultTypes: ['violations'], iframes: false });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
