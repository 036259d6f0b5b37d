import type { CheckoutModel, DetailsModule } from '../model.ts';
import type { View } from '../state.ts';
import { offersSame } from './address/delivery.ts';
import { SameDelivery } from './address/same-delivery.tsx';
import { askedPaths } from './asked.ts';
import { OtherBanks } from './bank/other-banks.tsx';
import type { GroupedField, GroupName } from './catalogue.ts';
import { FieldView } from './field-view.tsx';
import { findFields } from './fields.ts';
import type { Form, Pieces } from './model.ts';
import { loadPieces } from './pieces.ts';
import { place, treeOf } from './request.ts';
import { rowsOf } from './rows.ts';

const LEGENDS = ['contact', 'billing', 'delivery', 'address', 'bank_account'] as const satisfies readonly GroupName[];

/** The fields beside the card's, in their groups. */
function Details({ form }: { form: Form }) {
  const { checkout } = form;
  const fields = findFields(form);
  const offers = offersSame(askedPaths(checkout.state));
  const inGroup = (name: GroupName) => fields.filter(({ group }) => group === name);
  return (
    <>
      <OtherBanks checkout={checkout} />
      <Rows form={form} fields={inGroup('bank')} />
      {LEGENDS.map((name) => {
        const own = inGroup(name);
        const asks = name === 'delivery' && offers;
        return (
          (own.length > 0 || asks) && (
            <fieldset key={name} class="group">
              <legend>{checkout.t(name)}</legend>
              {asks && <SameDelivery checkout={checkout} />}
              <Rows form={form} fields={own} />
            </fieldset>
          )
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
    Details: ({ checkout }: { checkout: CheckoutModel }) => <Details form={{ checkout, pieces }} />,
  };
}

/** The details with the pieces that this view needs. Rejects where one cannot be had. */
export async function detailsFor(view: View): Promise<DetailsModule> {
  return detailsWith(await loadPieces(view));
}
