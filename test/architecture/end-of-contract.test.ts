import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../relay/openapi/document.ts';
import { allRoutes } from '../../relay/routes/all.ts';
import { END_OF_CONTRACT } from '../../shared/gateway/end-of-contract.ts';
import { cli } from '../support/operators/cli.ts';
import { defaultRules } from '../support/relays/documented.ts';

const root = join(import.meta.dirname, '../..');

/** The text without line breaks and comment marks. */
const flat = (text: string): string => text.replaceAll(/\s+(\* )?\s*/g, ' ');
const fileOf = (path: string): string => flat(readFileSync(join(root, path), 'utf8'));

describe('the consequences of ending a contract', () => {
  it('follow the gateway interface', () => {
    const said = END_OF_CONTRACT.slice(1).replace(/\.$/, '');
    expect(fileOf('docs/gateway-interface.md')).toContain(said);
  });

  it.each(['orders', 'operations', 'cli', 'console', 'testing'])('are in docs/%s.md', (page) => {
    expect(fileOf(`docs/${page}.md`)).toContain(END_OF_CONTRACT);
  });

  it.each(['client/client.ts', 'console/locales/en.json'])('are in %s', (file) => {
    expect(fileOf(file)).toContain(END_OF_CONTRACT);
  });

  it.each(['POST /v1/subscription/cancel', 'GET /v1/subscriptions'])('are in the API reference of %s', (name) => {
    const route = allRoutes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name);
    expect(route?.description).toContain(END_OF_CONTRACT);
    expect(JSON.stringify(openApiDocument('http://127.0.0.1', defaultRules))).toContain(END_OF_CONTRACT);
  });

  it('are in the help and the question of the command', async () => {
    const help = await cli(['subscription', 'cancel', '--help']);
    expect(flat(help.out)).toContain(END_OF_CONTRACT);
    const env = { TURNPIKE_URL: 'http://127.0.0.1:9', TURNPIKE_API_KEY: 'k'.repeat(32) };
    const asked = await cli(['subscription', 'cancel', 'R1'], { env });
    expect(asked.err).toContain(END_OF_CONTRACT);
  });
});
