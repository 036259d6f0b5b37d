import { documentedShell } from '../support/cli-shell.ts';
import { runBlocks } from '../support/doc-blocks.ts';

const shell = documentedShell();

runBlocks('docs/cli.md', [
  { language: 'sh', says: 'turnpike ', run: shell.run },
  { language: 'json', says: '', run: JSON.parse },
]);
