import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** A fenced block of a page; `line` is where its code begins. */
type Block = { language: string; code: string; line: number };

/** How the blocks of a kind are run: those of a language that contain `says`. */
type Rule = { language: string; says: string; run(code: string): unknown };

/** A page of the repository, by its path. */
export function pageText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** All pages of docs/ and its folders, by path. */
export function allPages(): string[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
}

/**
 * A page's fenced blocks. Throws if one has no language or no end: a reader would see something other than the test
 * runs.
 */
export function blocksOf(path: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, text] of pageText(path).split('\n').entries()) {
    const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(text);
    if (!fence) {
      if (open) open.code += `${text}\n`;
    } else if (open) {
      blocks.push(open);
      open = undefined;
    } else {
      const language = fence[2]?.trim() ?? '';
      if (!/^\w+$/.test(language)) throw new Error(`${path}:${index + 1} is a block without a language`);
      open = { language, code: '', line: index + 2 };
    }
  }
  if (open) throw new Error(`${path}:${open.line} is a block without an end`);
  return blocks;
}

/** The code of a page's block by language and contained text. */
export function blockWith(page: string, language: string, says: string): string {
  const found = blocksOf(page).find((block) => block.language === language && block.code.includes(says));
  if (!found) throw new Error(`${page} has no ${language} with ${says}`);
  return found.code;
}

/**
 * Tests that run a page's blocks, each by the one rule that matches it. A block without a rule fails, and an unused
 * rule too.
 */
export function runBlocks(path: string, rules: readonly Rule[]): void {
  const blocks = blocksOf(path);
  const knows = ({ language, says }: Rule, block: Block) => language === block.language && block.code.includes(says);
  describe(path, () => {
    for (const block of blocks) {
      it(`runs as written in line ${block.line}: ${block.code.split('\n')[0]}`, async () => {
        const [rule, ...others] = rules.filter((candidate) => knows(candidate, block));
        if (!rule) throw new Error(`no rule runs the ${block.language} in ${path}:${block.line}`);
        expect(others, 'one rule knows it').toEqual([]);
        await rule.run(block.code);
      });
    }

    it('has a block for every rule', () => {
      const idle = rules.filter((rule) => !blocks.some((block) => knows(rule, block)));
      expect(idle.map(({ language, says }) => `${language}: ${says}`)).toEqual([]);
    });
  });
}
