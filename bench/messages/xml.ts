import { XMLParser } from 'fast-xml-parser';
import { readXmlAnswer } from '../../relay/gateway/answers/read-answer.ts';
import { compare } from '../harness/micro.ts';
import type { Benchmark } from '../harness/report.ts';
import { answerXml } from './answer-xml.ts';

/** The relay's strict reader of an answer, against fast-xml-parser alone. */
export const xml: Benchmark = async () => {
  const bytes = Buffer.from(answerXml({ order_no: 'B-1', amount: '129.90', currency: 'BRL' }, '20260000000000000001'));
  const parser = new XMLParser();
  const { baseline_us, work_us } = compare(
    () => parser.parse(bytes.toString('utf8')),
    () => readXmlAnswer(bytes),
  );
  return {
    rows: [
      { what: 'fast-xml-parser alone (baseline)', figures: { 'CPU µs': baseline_us, ratio: 1 } },
      { what: 'strict reader', figures: { 'CPU µs': work_us, ratio: work_us / baseline_us } },
    ],
    targets: [],
    notes: [`An answer of ${bytes.length} bytes. The strict reader is saxes, with rules of its own.`],
  };
};
