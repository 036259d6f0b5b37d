import type { Profile } from '../../relay/gateway/profile.ts';
import { type Finding, wrongSetting } from '../base/finding.ts';
import type { Reaction } from './reaction.ts';

const CHECK = 'records of a query';
const CONFIRM = 'Have the gateway’s operator confirm that this is how it answers where it has no such order.';

/** What the answer to a query for one order that cannot exist tells of its records: there must be a list, and nothing in it. */
export function recordsFinding(
  { listed, records }: Extract<Reaction, { kind: 'answered' }>,
  { query_without_list: file, codes }: Profile,
): Finding {
  if (!listed && file !== 'empty') {
    return wrongSetting(CHECK, { setting: 'gateway.profile.query_without_list', works: 'empty', file }, CONFIRM);
  }
  const { not_found } = codes.query_result;
  const found = records.filter(({ query_result }) => !not_found.includes(query_result ?? ''));
  const [first] = found;
  if (first === undefined) {
    return { check: CHECK, status: 'ok', says: 'the gateway lists nothing for an order that it does not have' };
  }
  const results = [...new Set(found.map(({ query_result }) => query_result ?? ''))];
  const says = `asked about one order number that cannot exist, the gateway lists ${found.length} ${found.length === 1 ? 'record' : 'records'}`;
  const isPlaceholder = found.length === 1 && !first.transaction_id && first.query_result;
  if (isPlaceholder) {
    const setting = 'gateway.profile.codes.query_result.not_found';
    const wrong = wrongSetting(CHECK, { setting, works: [...not_found, ...results], file: not_found }, CONFIRM);
    return { ...wrong, says: `${wrong.says}: ${says}` };
  }
  return {
    check: CHECK,
    status: 'wrong',
    says: `${says}: no query proves that an order is unpaid`,
    next: 'Ask the gateway’s operator why a query by orders brings other orders, and how an order number may be written.',
  };
}

/** What the relay's counter of records says that its queries did not name. */
export function foreignFinding(records: number | undefined): Finding {
  const check = 'records that the relay saw';
  if (records === undefined) {
    const says = 'the relay’s metrics have no turnpike_foreign_records_total';
    return { check, status: 'unknown', says, next: 'Check --url: is it the relay?' };
  }
  if (records === 0) {
    return {
      check,
      status: 'ok',
      says: 'since its start the relay met no record of an order that it did not ask about',
    };
  }
  return {
    check,
    status: 'wrong',
    says: `since its start the relay met ${records} ${records === 1 ? 'record' : 'records'} of orders that it did not ask about (turnpike_foreign_records_total): such queries prove no absence`,
    next: 'Compare order numbers in the gateway’s portal with those of the shop: the gateway may cut or change them, or answer more than it is asked.',
  };
}
