import { expect } from 'vitest';
import { wrongSetting } from '../../../cli/doctor/finding.ts';
import { runBlocks } from '../../support/docs/doc-blocks.ts';
import { documentedShell } from '../../support/operators/cli-shell.ts';

const shell = documentedShell();

/** A line that doctor prints of a setting that is wrong. */
function printed(code: string): void {
  const [, setting = '', works = '', file = ''] =
    /^wrong {2,}.*?(\S+): (".*") works; the file says (".*")\n$/.exec(code) ?? [];
  const found = wrongSetting('separator of lists', { setting, works: JSON.parse(works), file: JSON.parse(file) });
  expect(code).toContain(found.says);
}

runBlocks('docs/cli.md', [
  { language: 'sh', says: 'turnpike ', run: shell.run },
  { language: 'json', says: '', run: JSON.parse },
  { language: 'text', says: 'works; the file says', run: printed },
]);
