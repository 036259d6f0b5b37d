import { expect } from 'vitest';
import { wrongSetting } from '../../../cli/doctor/finding.ts';
import { runBlocks } from '../../support/docs/doc-blocks.ts';
import { documentedShell } from '../../support/operators/cli-shell.ts';

const shell = documentedShell();

/** A line of the doctor's output about a wrong setting. */
function printed(code: string): void {
  const [, setting = '', works = '', file = ''] =
    /^wrong {2,}.*?(\S+): (".*") works; the file says (".*")\n$/.exec(code) ?? [];
  const found = wrongSetting('separator of lists', { setting, works: JSON.parse(works), file: JSON.parse(file) });
  expect(code).toContain(found.says);
}

let output = '';

/** JSON that a command prints, with the settings that the previous command found. */
function json(code: string): void {
  const shown = JSON.parse(code);
  if (code.includes('"signing"')) expect(JSON.parse(output.slice(output.indexOf('\n{')))).toEqual(shown);
}

runBlocks('docs/cli.md', [
  {
    language: 'sh',
    says: 'turnpike ',
    async run(code) {
      output = await shell.run(code);
      if (code.includes('captures.csv')) expect(output).toMatch(/^succeeded +1$/m);
    },
  },
  { language: 'json', says: '', run: json },
  { language: 'text', says: 'works; the file says', run: printed },
]);
