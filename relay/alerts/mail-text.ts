import type { Attention, AttentionCase } from '../../shared/api/attention.ts';
import type { StatsFigures } from '../../shared/api/stats.ts';
import type { NewGroup } from './new-cases.ts';
import type { AlertTexts } from './texts.ts';

/** An account as a mail names it; `href` is its page of the console, if people can reach one. */
export type Named = { name: string; href?: string };

/** A mail: plain text, because its lines contain texts of shops and shoppers. */
export type Mail = { subject: string; text: string };

/** The mail about the new cases of accounts. */
export function alertMail(words: AlertTexts, accounts: readonly (Named & { fresh: readonly NewGroup[] })[]): Mail {
  const groups = accounts.flatMap(({ fresh }) => fresh);
  const kinds = [...new Set(groups.map(({ kind }) => kindName(words, kind)))].join(', ');
  const text = accounts.map(({ fresh, ...account }) =>
    [heading(account), ...fresh.map((group) => groupText(words, group, account)), ...link(words, account)].join('\n\n'),
  );
  return { subject: `[Turnpike] ${words.needsYou(newCount(groups))} · ${kinds}`, text: `${text.join('\n\n\n')}\n` };
}

/** The number of new cases, as shown: of kinds without listed new cases each counts once. */
function newCount(groups: readonly NewGroup[]): string {
  const count = groups.reduce((sum, { cases }) => sum + Math.max(1, cases.length), 0);
  return `${count}${groups.some(({ cases, count }) => cases.length < count && cases.length === 0) ? '+' : ''}`;
}

function groupText(words: AlertTexts, { kind, count, more, cases }: NewGroup, account: Named): string {
  const lines = cases.map((one) => `- ${caseText(words, one)}${placeOf(one, account)}`);
  const title = `${kindName(words, kind)} (${words.waiting(`${count}${more ? '+' : ''}`)})`;
  return [title, ...lines, ...(cases.length < count ? [words.more] : [])].join('\n');
}

function kindName(words: AlertTexts, kind: string): string {
  const known: Readonly<Record<string, string>> = words.kinds;
  return known[kind] ?? kind;
}

function caseText({ since: begun }: AlertTexts, one: AttentionCase): string {
  const { order_no, operation, transaction_id, recurring_id, event, amount, currency, why, since } = one;
  const what = [event, operation, order_no ?? recurring_id ?? transaction_id].flatMap((text) => text ?? []);
  const money = amount === undefined || currency === undefined ? [] : [`${currency} ${amount}`];
  const time = `${begun} ${since.slice(0, 16).replace('T', ' ')} UTC`;
  return plain([what.join(' '), ...money, why, time].join(' · '));
}

function placeOf({ order_no, operation_id, event_id }: AttentionCase, { href }: Named): string {
  if (href === undefined) return '';
  const place =
    event_id !== undefined
      ? `webhooks/${event_id}`
      : operation_id !== undefined
        ? `operations/${operation_id}`
        : order_no !== undefined
          ? `orders/${encodeURIComponent(order_no)}`
          : undefined;
  return place === undefined ? '' : `\n  ${href}/${place}`;
}

/** The mail about one day of accounts. */
export function summaryMail(
  words: AlertTexts,
  day: string,
  accounts: readonly (Named & { figures: StatsFigures; attention: Attention })[],
): Mail {
  const text = accounts.map(({ figures, attention, ...account }) =>
    [heading(account), ...figureTexts(words, figures), ...openTexts(words, attention), ...link(words, account)].join(
      '\n',
    ),
  );
  return { subject: `[Turnpike] ${words.summary(day)}`, text: `${text.join('\n\n\n')}\n` };
}

function figureTexts(words: AlertTexts, { payments, approval_rate, gross, net, refunds }: StatsFigures): string[] {
  const sums = (list: StatsFigures['gross']): string =>
    list.map(({ currency, amount, count }) => `${`${currency} ${amount}`} (${count})`).join(', ') || words.none;
  return [
    `${words.payments}: ${payments}`,
    ...(approval_rate === undefined ? [] : [`${words.approvalRate}: ${(100 * approval_rate).toFixed(1)} %`]),
    `${words.gross}: ${sums(gross)}`,
    `${words.net}: ${sums(net)}`,
    `${words.refunds}: ${sums(refunds)}`,
  ];
}

function openTexts(words: AlertTexts, { groups, reconciliation }: Attention): string[] {
  const open = groups.filter(({ count }) => count > 0);
  const lines = open.map(({ kind, count, more }) => `- ${kindName(words, kind)}: ${count}${more ? '+' : ''}`);
  return [
    '',
    ...(open.length === 0 ? [words.nothingOpen] : [`${words.open}:`, ...lines]),
    ...(reconciliation ? [words.differences(reconciliation.orders, reconciliation.total)] : []),
  ];
}

const heading = ({ name }: Named): string => `${plain(name)}\n${'='.repeat(Math.min(60, name.length))}`;

const link = (words: AlertTexts, { href }: Named): string[] =>
  href === undefined ? [] : ['', `${words.console}: ${href}`];

/** A text on one line, without characters that break the line or turn its direction. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
