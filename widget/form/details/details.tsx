import { Component } from 'preact';
import type { CheckoutModel, DetailsModule } from '../model.ts';
import { chosenMethod, type State, type View } from '../state.ts';
import { offersSame, SameDelivery } from './address/delivery.tsx';
import type { GroupedField, GroupName } from './catalogue.ts';
import type { Form } from './context.ts';
import { loadFeatures } from './features.ts';
import { FieldView } from './field-view.tsx';
import { findFields } from './fields.ts';
import { place, treeOf } from './request.ts';
import { isMethodField, orderValue, requestedPaths } from './requested.ts';
import { rowsOf } from './rows.ts';

const LEGENDS = ['contact', 'billing', 'delivery', 'address', 'bank_account'] as const satisfies readonly GroupName[];

const BANK = 'bank_code';

type Props = { form: Form; own: boolean };

/** The fields beside the card's, in their groups: the chosen method's own, which stand within it, or the others. */
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
        const rows = <Rows form={form} fields={inGroup(name)} />;
        const asks = name === 'delivery' && offers;
        if (!inGroup(name).length && !asks) return null;
        // A method's questions need no name: they stand below its own.
        if (own && name === 'contact') return rows;
        return (
          <fieldset key={name} class="group">
            <legend>{t(name)}</legend>
            {asks && <SameDelivery checkout={checkout} />}
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

/** Forgets the bank as another method is chosen that has other banks. Draws nothing. */
class OtherBanks extends Component<{ checkout: CheckoutModel }> {
  /** The last chosen method that asked for a bank. */
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

/** Whether what came with the session may be the bank of another method, which was tried before. */
function wasTriedOtherwise({ view, method }: State): boolean {
  return view.last_method !== undefined && method !== `apm ${view.last_method}`;
}

function fits(state: State): boolean {
  const method = chosenMethod(state);
  const code = state.values[BANK];
  const banks = method?.type === 'apm' ? method.banks : undefined;
  return !code || code === orderValue(state, BANK) || Boolean(banks?.some((bank) => bank.code === code));
}

/** The details with what this view needs, or with all that there is. Rejects where something cannot be had. */
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
