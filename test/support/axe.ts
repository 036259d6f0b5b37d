import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds in a page or frame, WCAG 2.2 AA and good practice: a line for each element, none when all is well. */
export async function axeFindings(target: Page | Frame): Promise<string[]> {
  if (!(await target.evaluate(() => 'axe' in window))) await target.evaluate(axe.source);
  return target.evaluate(async (values) => {
    const { violations } = await window.axe.run({
      runOnly: { type: 'tag', values },
      // Off by default while it is new.
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
      iframes: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    );
  }, TAGS);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
