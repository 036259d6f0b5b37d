import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../base/errors.ts';
import { checkConfig, loadConfig } from './load.ts';

const account = {
  id: 'demo',
  merchant_id: '100001',
  account_id: '200001',
  signing_secret: 'plain',
  allowed_origins: ['http://127.0.0.1:8082'],
  api_keys: [{ name: 'server', sha256: 'a'.repeat(64), scopes: ['*'] }],
};
const configWith = (appearance?: object) => ({
  public_url: 'http://127.0.0.1:8080',
  gateway: { base_url: 'http://127.0.0.1:8081' },
  accounts: [{ ...account, ...(appearance && { appearance }) }],
});
const appearanceOf = (appearance?: object) => checkConfig(configWith(appearance), {}).accounts[0]?.appearance;

function problemsOf(appearance: object): readonly string[] {
  try {
    appearanceOf(appearance);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const png = Buffer.from('89504e470d0a1a0a0000', 'hex');

describe('an account’s appearance', () => {
  it('may be left out', () => {
    expect(appearanceOf()).toEqual({ variables: {} });
  });

  it('is a theme, variables and a logo', () => {
    const variables = { '--turnpike-color-accent': '#0f5c4d', '--turnpike-font': 'Georgia, serif' };
    expect(appearanceOf({ theme: 'dark compact', variables })).toEqual({ theme: 'dark compact', variables });
    expect(appearanceOf({ logo: `data:image/png;base64,${png.toString('base64')}` })?.logo).toEqual({
      file: expect.stringMatching(/^logo-[0-9a-f]{16}\.png$/),
      type: 'image/png',
      body: png,
    });
  });

  it.each([
    ['no theme of ours', { theme: 'blue' }, 'theme: must be one of'],
    ['two themes', { theme: 'light dark' }, 'theme: must be one of'],
    ['a variable of another', { variables: { '--mine': '1px' } }, 'variables.--mine: must be a CSS variable'],
    [
      'a value that loads',
      { variables: { '--turnpike-font': 'url(x)' } },
      'variables.--turnpike-font: must be a plain',
    ],
    ['a value that ends the rule', { variables: { '--turnpike-font': 'x}' } }, 'variables.--turnpike-font: must be'],
    ['a setting that is none', { colour: 'red' }, 'colour: there is no such setting'],
    ['a logo from elsewhere', { logo: 'https://shop.example/logo.svg' }, 'logo: must be a file of the relay’s own'],
    ['a file that is not there', { logo: './nothing.svg' }, 'logo: cannot read the file ./nothing.svg (ENOENT)'],
    ['no image', { logo: 'data:image/png;base64,AAAA' }, 'logo: must be a PNG, JPEG, WebP or SVG image'],
    ['a page', { logo: 'data:text/html,<svg>' }, 'logo: must be a data: URL of an image'],
    ['a broken escape', { logo: 'data:image/svg+xml,<svg width="100%">' }, 'logo: must be a data: URL of an image'],
    [
      'a huge logo',
      { logo: `data:image/svg+xml,${svg}${'%20'.repeat(262_144)}` },
      'logo: must be 262144 bytes at most',
    ],
  ])('is refused with %s', (_, appearance, problem) => {
    const problems = problemsOf(appearance);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`accounts.0.appearance.${problem}`);
  });

  it.each([
    ['logo.svg', svg, 'image/svg+xml'],
    ['logo.xml.svg', `\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n${svg}`, 'image/svg+xml'],
    ['logo.png', png, 'image/png'],
    ['logo.jpeg', Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
    ['logo.webp', Buffer.from('RIFF\x01\x02\x03\x04WEBPVP8 '), 'image/webp'],
  ])('finds %s beside the config file', (name, content, type) => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-config-'));
    writeFileSync(join(folder, name), content);
    writeFileSync(join(folder, 'config.json'), JSON.stringify(configWith({ logo: `./${name}` })));
    const [loaded] = loadConfig(join(folder, 'config.json'), {}).accounts;
    expect(loaded?.appearance.logo).toMatchObject({ type, body: Buffer.from(content) });
  });
});
