import { describe, expect, it } from 'vitest';
import { conformanceFiles, dressed, spliced } from '../../../test/corpus/xml-conformance.ts';
import { cpuMs } from '../../../test/support/time/cpu-time.ts';
import { readXmlAnswer } from './read-answer.ts';
import { XmlAnswerError } from './xml-answer.ts';

const files = conformanceFiles();
const illFormed = files.filter(({ type }) => type === 'not-wf');
const wellFormed = files.filter(({ type }) => type === 'valid' || type === 'invalid');

/** `read`, or the reason of the refusal. Throws other errors, and an error if reading took too long. */
function read(bytes: Uint8Array): string {
  let found = 'read';
  const took = cpuMs(() => {
    try {
      readXmlAnswer(bytes);
    } catch (error) {
      if (!(error instanceof XmlAnswerError)) throw error;
      found = error.code;
    }
  });
  expect(took).toBeLessThan(1000);
  return found;
}

describe(`of the ${files.length} files of the XML conformance suite`, () => {
  it('there are as many as the suite has', () => {
    expect(files.length).toBeGreaterThan(2500);
    expect(illFormed.length).toBeGreaterThan(1400);
  });

  it('none is an answer of a gateway', () => {
    expect(files.filter(({ bytes }) => read(bytes) === 'read').map(({ name }) => name)).toEqual([]);
  });

  it(`none of the ${illFormed.length} ill-formed ones is read as an answer`, () => {
    const tried = illFormed.map((file) => ({ name: file.name, codes: dressed(file).map(read) }));
    expect(tried.filter(({ codes }) => codes.length > 0).length).toBeGreaterThan(1250);
    expect(tried.filter(({ codes }) => codes.includes('read')).map(({ name }) => name)).toEqual([]);
  });

  it('ill-formed documents are refused inside an answer, unless valid there', () => {
    const emptyOnes = ['xmltest/not-wf/sa/050.xml', 'oasis/p39fail3.xml'];
    expect(illFormed.filter((file) => read(spliced(file)) === 'read').map(({ name }) => name)).toEqual(emptyOnes);
  });

  it('well-formed answers without DOCTYPE are read', () => {
    const hasDoctype = (bytes: Buffer): boolean => bytes.includes('<!DOCTYPE');
    const codes = wellFormed.flatMap((file) => (hasDoctype(file.bytes) ? [] : dressed(file).map(read)));
    expect(codes.filter((code) => code === 'read').length).toBeGreaterThan(80);
  });
});
