import type { CheckoutModel, DetailsModule } from '../model.ts';
import type { View } from '../state.ts';
import { offersSame } from './address/delivery.ts';
import { SameDelivery } from './address/same-delivery.tsx';
import { askedPaths, isOwn } from './asked.ts';
import type { GroupedField, GroupName } from './catalogue.ts';
import { FieldView } from './field-view.tsx';
import { findFields } from './fields.ts';
import type { Form, Pieces } from './model.ts';
import { OtherBanks } from './other-banks.tsx';
import { loadPieces } from './pieces.ts';
import { place, treeOf } from './request.ts';
import { rowsOf } from './rows.ts';

const LEGENDS = ['contact', 'billing', 'delivery', 'address', 'bank_account'] as const satisfies readonly GroupName[];

type Props = { form: Form; own: boolean };

/** The fields beside the card's, in their groups: the chosen method's own, which stand within it, or the others. */
function Details({ form, own }: Props) {
  const { checkout } = form;
  const { state, t } = checkout;
  const fields = findFields(form).filter(({ name }) => isOwn(name, state) === own);
  const offers = offersSame(askedPaths(state)) && isOwn('delivery_address', state) === own;
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
      {rowsOf(fields).map((row) => {
        const views = row.map((field) => <FieldView key={field.name} form={form} field={field} />);
        return row.length > 1 ? (
          <div key={row[0]?.name} class="row pair">
            {views}
          </div>
        ) : (
          views
        );
      })}
    </>
  );
}

/** The details with these pieces. */
export function detailsWith(pieces: Pieces): DetailsModule {
  return {
    findFields: (checkout) => findFields({ checkout, pieces }),
    treeOf: (checkout) => treeOf({ checkout, pieces }),
    place: (checkout, path) => place({ checkout, pieces }, path),
    Details: ({ checkout, own }: { checkout: CheckoutModel; own: boolean }) => (
      <Details form={{ checkout, pieces }} own={own} />
    ),
  };
}

/** The details with the pieces that this view needs. Rejects where one cannot be had. */
export async function detailsFor(view: View): Promise<DetailsModule> {
  return detailsWith(await loadPieces(view));
}
