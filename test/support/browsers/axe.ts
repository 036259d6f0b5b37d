import axe, { type RunOptions } from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** WCAG 2.2 AA and good practice. Axe still switches the rule for target sizes off by default. */
export const everyRule: RunOptions = {
  runOnly: { type: 'tag', values: TAGS },
  rules: { 'target-size': { enabled: true } },
};

/** Texts with too little contrast. */
export const contrast: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };

/** The findings of axe in a page or frame, by these rules or all: a line for each element, empty if there are none. */
export async function axeFindings(target: Page | Frame, rules = everyRule): Promise<string[]> {
  await loadAxe(target);
  return target.evaluate(findings, rules);
}

/** Loads axe into a page or frame, once. */
export async function loadAxe(target: Page | Frame): Promise<void> {
  if (!(await target.evaluate(() => 'axe' in window))) await target.evaluate(axe.source);
}

/** Runs in the browser after axe is loaded: a line for each element that breaks one of these rules. */
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
