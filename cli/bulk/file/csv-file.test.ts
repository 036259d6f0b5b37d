import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCsv } from './csv-file.ts';

async function opened(text: string | Buffer, delimiter?: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'turnpike-csv-')), 'rows.csv');
  writeFileSync(path, text);
  const csv = await openCsv(path, delimiter);
  onTestFinished(() => csv.close());
  const all = async () => {
    const found: [number, ...string[]][] = [];
    for await (const { line, cells } of csv.records()) found.push([line, ...cells]);
    return found;
  };
  return { csv, path, all };
}

describe('a CSV file', () => {
  it('returns the line on which each record begins', async () => {
    const { all, csv } = await opened('\ufeffa,b\r\n1,"x\r\ny\nz"\r\n\r\n,\r\n 2 ,"say ""hi"""\r\n3,\r\n');
    expect(csv.hasBom).toBe(true);
    const records = [
      [1, 'a', 'b'],
      [2, '1', 'x\r\ny\nz'],
      [7, '2', 'say "hi"'],
      [8, '3', ''],
    ];
    expect(await all()).toEqual(records);
    // It can be read again.
    expect(await all()).toEqual(records);
  });

  it.each([
    ['a;b;c\n1;2,5;3\n', ';'],
    ['a\tb\n1\t2\n', '\t'],
    ['a,b\n1,2;3\n', ','],
    ['a|b\n1|2\n', '|'],
    ['a\n1\n', ','],
  ])('finds its delimiter: %j', async (text, delimiter) => {
    expect((await opened(text)).csv.delimiter).toBe(delimiter);
  });

  it('takes a delimiter that is given', async () => {
    const { all } = await opened('a,b|c,d\n1|2\n', '|');
    expect(await all()).toEqual([
      [1, 'a,b', 'c,d'],
      [2, '1', '2'],
    ]);
  });

  it('takes the mark before what looks like a formula off', async () => {
    const { all } = await opened("a\n'=1+1\n'-5\n'quoted'\n");
    expect((await all()).slice(1)).toEqual([
      [2, '=1+1'],
      [3, '-5'],
      [4, "'quoted'"],
    ]);
  });

  it.each([
    ['no UTF-8', Buffer.from('a\nfine\nca\xe7a\n', 'latin1'), /line 3: this is not UTF-8/],
    ['an open quote', 'a,b\n1,2\n3,"4\n5,6\n', /after line 2: a quote is not closed/],
    ['a quote inside a cell', 'a,b\n1,x"y\n', /after line 1: a quote stands inside a cell/],
    ['an endless row', `a,b\n1,"${'x'.repeat(200_000)}\n`, /after line 1: a row is too long/],
  ])('refuses %s, and quotes none of it', async (_, text, says) => {
    const { all } = await opened(text);
    const failed = await all().catch((error: unknown) => String(error));
    expect(failed).toMatch(says);
  });

  it('detects a change since it was opened', async () => {
    const { csv, path } = await opened('a\n1\n');
    await csv.checkUnchanged();
    writeFileSync(path, 'a\n12\n');
    await expect(csv.checkUnchanged()).rejects.toThrow('was changed');
  });

  it('is no folder and no pipe', async () => {
    await expect(openCsv(tmpdir())).rejects.toThrow(/no regular file|EISDIR/);
    await expect(openCsv('/nonexistent.csv')).rejects.toThrow('ENOENT');
  });
});
