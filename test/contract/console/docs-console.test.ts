import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkConfig } from '../../../relay/config/load.ts';
import { ada } from '../../support/operators/console.ts';
import { testConfig } from '../../support/relays/relay.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/console.md'), 'utf8');

it('the relay accepts the settings of docs/console.md', () => {
  const blocks = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => text);
  expect(blocks).toHaveLength(2);
  for (const text of blocks) {
    const settings: object = JSON.parse(text.replace(/\$scrypt\$[^"]+/, () => ada.password));
    const file = { ...testConfig({ gatewayUrl: 'http://127.0.0.1:1', folder: '/nowhere' }), ...settings };
    expect(checkConfig(file, {}).console.people).toHaveLength(1);
  }
});
