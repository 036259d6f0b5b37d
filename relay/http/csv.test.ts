import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

const cell = (value: string): string => csvLine([value]).slice(0, -2);

it('a cell begins no formula, whatever stands in it', () => {
  const values = fc.oneof(
    fc.string(),
    fc.tuple(fc.constantFrom(...'=+-@|%\t\r\n '), fc.string()).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(values, (value) => {
      const shown = cell(value);
      const inner = /^"(.*)"$/s.exec(shown)?.[1]?.replaceAll('""', '"') ?? shown;
      expect(inner).not.toMatch(/^\s*[=+\-@|%]/);
      expect(inner.replace(/^'/, '')).toBe(value.replace(/^'/, ''));
      expect(shown === inner || /^"(?:[^"]|"")*"$/.test(shown)).toBe(true);
    }),
  );
});

it('a plain value stays as it is', () => {
  for (const value of ['A-1001', '129.90', '2027-03-31T10:15:00.000Z', '']) expect(cell(value)).toBe(value);
});

it('a line ends as RFC 4180 has it', () => {
  expect(csvLine(['A', 'b,c', ''])).toBe('A,"b,c",\r\n');
});
