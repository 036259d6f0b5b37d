import type { CheckoutModel, DetailsModule } from '../model.ts';
import type { View } from '../state.ts';
import { offersSame } from './address/delivery.ts';
import { SameDelivery } from './address/same-delivery.tsx';
import { askedPaths } from './asked.ts';
import { OtherBanks } from './bank/other-banks.tsx';
import type { GroupedField, GroupName } from './catalogue.ts';
import type { Controls } from './controls.ts';
import { ExtraFieldView } from './field-view.tsx';
import { findFields } from './fields.ts';
import { loadPieces } from './pieces/load.ts';
import { place } from './place.ts';
import { treeOf } from './request.ts';
import { rowsOf } from './rows.ts';

const LEGENDS = ['contact', 'billing', 'delivery', 'address', 'bank_account'] as const satisfies readonly GroupName[];

/** The fields beside the card's, in their groups. */
function Details({ checkout, controls }: { checkout: CheckoutModel; controls: Controls }) {
  const fields = findFields(checkout);
  const offers = offersSame(askedPaths(checkout.state));
  const inGroup = (name: GroupName) => fields.filter(({ group }) => group === name);
  return (
    <>
      <OtherBanks checkout={checkout} />
      <Rows checkout={checkout} controls={controls} fields={inGroup('bank')} />
      {LEGENDS.map((name) => {
        const own = inGroup(name);
        const asks = name === 'delivery' && offers;
        return (
          (own.length > 0 || asks) && (
            <fieldset key={name} class="group">
              <legend>{checkout.t(name)}</legend>
              {asks && <SameDelivery checkout={checkout} />}
              <Rows checkout={checkout} controls={controls} fields={own} />
            </fieldset>
          )
        );
      })}
    </>
  );
}

type RowsProps = { checkout: CheckoutModel; controls: Controls; fields: readonly GroupedField[] };

function Rows({ checkout, controls, fields }: RowsProps) {
  return (
    <>
      {rowsOf(fields).map((row) => {
        const views = row.map((field) => (
          <ExtraFieldView key={field.name} checkout={checkout} controls={controls} field={field} />
        ));
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

/** The details with these controls. */
export function detailsWith(controls: Controls): DetailsModule {
  const Drawn = ({ checkout }: { checkout: CheckoutModel }) => <Details checkout={checkout} controls={controls} />;
  return { findFields, treeOf, place, Details: Drawn };
}

/** The details with the pieces that this view needs. Rejects where one cannot be had. */
export async function detailsFor(view: View): Promise<DetailsModule> {
  return detailsWith(await loadPieces(view));
}
