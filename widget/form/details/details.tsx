import type { CheckoutModel, DetailsModule } from '../model.ts';
import { askedPaths } from './asked.ts';
import type { GroupedField, GroupName } from './catalogue.ts';
import { offersSame } from './delivery.ts';
import { ExtraFieldView } from './extra-field.tsx';
import { findFields } from './fields.ts';
import { place } from './place.ts';
import { rowsOf } from './rows.ts';
import { SameDelivery } from './same-delivery.tsx';
import { treeOf } from './tree.ts';

const LEGENDS = ['contact', 'billing', 'delivery', 'address', 'bank_account'] as const satisfies readonly GroupName[];

/** The fields beside the card's, in their groups. */
export function Details({ checkout }: { checkout: CheckoutModel }) {
  const fields = findFields(checkout);
  const offers = offersSame(askedPaths(checkout.state));
  const inGroup = (name: GroupName) => fields.filter(({ group }) => group === name);
  return (
    <>
      <Rows checkout={checkout} fields={inGroup('bank')} />
      {LEGENDS.map((name) => {
        const own = inGroup(name);
        const asks = name === 'delivery' && offers;
        return (
          (own.length > 0 || asks) && (
            <fieldset key={name} class="group">
              <legend>{checkout.say(name)}</legend>
              {asks && <SameDelivery checkout={checkout} />}
              <Rows checkout={checkout} fields={own} />
            </fieldset>
          )
        );
      })}
    </>
  );
}

function Rows({ checkout, fields }: { checkout: CheckoutModel; fields: readonly GroupedField[] }) {
  return (
    <>
      {rowsOf(fields).map((row) => {
        const views = row.map((field) => <ExtraFieldView key={field.name} checkout={checkout} field={field} />);
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

/** The details as one module to load. */
export const details: DetailsModule = { findFields, treeOf, place, Details };
