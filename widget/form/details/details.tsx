import { Component } from 'preact';
import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { fieldValue } from '../../../shared/checkout/fields/rules.ts';
import type { CheckoutModel, DetailsModule, Tree } from '../model.ts';
import { chosenMethod, type State, type View } from '../state.ts';
import { addressPart } from './address/address.ts';
import { isRepetition, NAMES, offersSame, SAME, SameDelivery } from './address/delivery.tsx';
import { catalogue, FILE, FILE_TYPE, type GroupedField, type GroupName } from './catalogue.ts';
import { contextOf, type DetailsContext, type Form, phoneContext } from './context.ts';
import { loadFeatures } from './features.ts';
import { FieldView } from './field-view.tsx';
import { findFields } from './fields.ts';
import { applies, isMethodField, orderValue, requestedPaths } from './requested.ts';

const LEGENDS = ['contact', 'billing', 'delivery', 'address', 'bank_account'] as const satisfies readonly GroupName[];

const BANK = 'bank_code';

type Props = { form: Form; own: boolean };

/** Loads the details that this view needs, or all of them. Rejects if a part cannot be loaded. */
export async function loadDetails(view?: View): Promise<DetailsModule> {
  const features = await loadFeatures(view);
  return {
    findFields: (checkout) => findFields({ checkout, features }),
    treeOf: (checkout) => treeOf({ checkout, features }),
    place: (checkout, path) => place({ checkout, features }, path),
    Details: ({ checkout, own }: { checkout: CheckoutModel; own: boolean }) => (
      <Details form={{ checkout, features }} own={own} />
    ),
  };
}

/** The values of the fields besides the card's in a payment's request: each at its dotted path, as it is sent. */
function treeOf(form: Form): Tree {
  const { state } = form.checkout;
  const requested = requestedPaths(state);
  const context = contextOf(form);
  const tree: Tree = {};
  for (const path of requested) {
    const value = sentValue(path, requested, context);
    if (value && applies(path, state, context)) put(tree, path.split('.'), value);
  }
  return tree;
}

/**
 * The name of the field for this path of the request. A hidden field of the delivery address, whose value came from the
 * billing address, becomes visible with the sent value.
 */
function place(form: Form, path: string): string {
  const { checkout } = form;
  const { state } = checkout;
  const requested = requestedPaths(state);
  if (path === FILE_TYPE && requested.has(FILE)) return FILE;
  if (requested.has(path) && isRepetition(path, state, requested)) {
    const sent = Object.entries(contextOf(form).values).filter(([name]) => name.startsWith('delivery_'));
    checkout.set({ values: { ...state.values, ...Object.fromEntries(sent), [SAME]: 'no' } });
  }
  return path;
}

function sentValue(path: string, requested: ReadonlySet<string>, context: DetailsContext): string {
  const value = context.values[path]?.trim() ?? '';
  const file = context.values[FILE];
  if (path === FILE_TYPE && requested.has(FILE)) return file ? value : '';
  if (!value || path === FILE) return value;
  return catalogue.get(path)?.kind === 'tel' ? phoneValue(path, value, context) : fieldValue(path, value, context);
}

/** A telephone number as it is sent. Without the rules of its country it is sent with its calling code, as typed. */
function phoneValue(path: string, value: string, context: DetailsContext): string {
  const own = phoneContext(path, value, context);
  const code = context.reader?.callingCode(own.phoneCountry);
  if (own.phones || !code || /^\s*(\+|00)/.test(value)) return fieldValue(path, value, own);
  return `+${code}${digitsOf(value)}`;
}

function put(tree: Tree, [name = '', ...rest]: string[], value: string): void {
  if (!rest.length) {
    tree[name] = value;
    return;
  }
  const branch = tree[name];
  const next = typeof branch === 'object' ? branch : {};
  tree[name] = next;
  put(next, rest, value);
}

/** Fields in one row: `short` ones on phones too, others if the form is wide. */
type Row = { fields: readonly GroupedField[]; short: boolean };

/** Short fields that belong together, by the ends of their names. */
const SHORT_PAIRS = [
  ['first_name', 'last_name'],
  ['firstname', 'lastname'],
  ['phone_country_code', 'phone_area_code'],
  ['address_number', 'address_complement'],
  ['branch_number', 'account_number'],
] as const;
const SHORT_PARTS = ['postal_code', 'city', 'state'];

/**
 * The fields in rows of one or two, in display order. In an address the postal code shares a row with its neighbour,
 * and the city with the state.
 */
export function rowsOf(fields: readonly GroupedField[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < fields.length; at += rows.at(-1)?.fields.length ?? 1) {
    const [field, next, third] = fields.slice(at);
    if (!field) break;
    const short = isShortPair(field, next, third);
    const paired = short || (isHalf(field) && isHalf(next) && !isShortPair(next, third));
    rows.push({ fields: next && paired ? [field, next] : [field], short });
  }
  return rows;
}

/**
 * Whether two fields are a short pair. Of three parts of an address the last two are, if the last is the postal code.
 */
function isShortPair(field: GroupedField, next: GroupedField | undefined, third?: GroupedField): boolean {
  if (!next || field.group !== next.group) return false;
  if (isShortPart(field) && isShortPart(next)) return isPostal(field) || !(isShortPart(third) && isPostal(third));
  return SHORT_PAIRS.some(([one, other]) => field.name.endsWith(one) && next.name.endsWith(other));
}

/** Whether half of a wide form is enough: for all fields except files and parts of an address. */
function isHalf(field: GroupedField | undefined): field is GroupedField {
  return (field?.group === 'contact' || field?.group === 'bank_account') && field.kind !== 'file';
}

function isShortPart(field: GroupedField | undefined): boolean {
  return SHORT_PARTS.includes(addressPart(field?.name ?? '')?.part ?? '');
}

function isPostal(field: GroupedField | undefined): boolean {
  return addressPart(field?.name ?? '')?.part === 'postal_code';
}

/**
 * The fields besides the card's, in their groups: those of the chosen method, which are inside of it, or the others.
 */
function Details({ form, own }: Props) {
  const { checkout } = form;
  const { state, t } = checkout;
  const fields = findFields(form).filter(({ name }) => isMethodField(name, state) === own);
  const offers = offersSame(requestedPaths(state)) && isMethodField('delivery_address', state) === own;
  const inGroup = (name: GroupName) => fields.filter(({ group }) => group === name);
  return (
    <>
      {!own && <OtherBanks checkout={checkout} />}
      <Rows form={form} fields={inGroup('bank')} />
      {LEGENDS.map((name) => {
        const isName = ({ name }: GroupedField) => NAMES.includes(name);
        const names = inGroup(name).filter(isName);
        const rows = <Rows form={form} fields={inGroup(name).filter((field) => !isName(field))} />;
        const asks = name === 'delivery' && offers;
        if (!inGroup(name).length && !asks) return null;
        // A method's fields need no legend, because they are below its name.
        if (own && name === 'contact') return rows;
        return (
          <fieldset key={name} class="group">
            <legend>{t(name)}</legend>
            {asks && <SameDelivery checkout={checkout} />}
            {names.length > 0 && (
              <fieldset>
                <legend>{t('recipient')}</legend>
                <Rows form={form} fields={names} />
              </fieldset>
            )}
            {rows}
          </fieldset>
        );
      })}
    </>
  );
}

function Rows({ form, fields }: { form: Form; fields: readonly GroupedField[] }) {
  return (
    <>
      {rowsOf(fields).map(({ fields: row, short }) => {
        const views = row.map((field) => <FieldView key={field.name} form={form} field={field} />);
        return row.length > 1 ? (
          <div key={row[0]?.name} class={short ? 'row pair' : 'wide pair'}>
            {views}
          </div>
        ) : (
          views
        );
      })}
    </>
  );
}

/** Clears the bank when another method with other banks is chosen. Draws nothing. */
class OtherBanks extends Component<{ checkout: CheckoutModel }> {
  /** The last chosen method with a bank. */
  #method = '';

  override componentDidMount(): void {
    this.#follow();
  }

  override componentDidUpdate(): void {
    this.#follow();
  }

  override render() {
    return null;
  }

  #follow(): void {
    const { checkout } = this.props;
    const { state } = checkout;
    const before = this.#method;
    if (before === state.method || !requestedPaths(state).has(BANK)) return;
    this.#method = state.method;
    const isOthers = before !== '' || wasTriedOtherwise(state);
    if (isOthers && !fits(state)) checkout.set({ values: { ...state.values, [BANK]: '' } });
  }
}

/** Whether the session's value may be the bank of another method, which was tried before. */
function wasTriedOtherwise({ view, method }: State): boolean {
  return view.last_method !== undefined && method !== `apm ${view.last_method}`;
}

function fits(state: State): boolean {
  const method = chosenMethod(state);
  const code = state.values[BANK];
  const banks = method?.type === 'apm' ? method.banks : undefined;
  return !code || code === orderValue(state, BANK) || Boolean(banks?.some((bank) => bank.code === code));
}
