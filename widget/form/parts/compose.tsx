import type { CheckoutModel, DetailsModule, Parts } from '../model.ts';
import { Installments } from './installments.tsx';
import { choicesOf } from './request.ts';
import { SavedCards } from './saved-cards.tsx';
import { Terms } from './terms.tsx';

/** The parts, with the details where a form asks for any. */
export function partsWith(details: DetailsModule | undefined): Parts {
  return {
    findFields: (view, method) => details?.findFields(view, method) ?? [],
    requestOf: (state, extra) => ({ ...details?.treeOf(state, extra), ...choicesOf(state) }),
    SavedCards,
    Between: ({ checkout }: { checkout: CheckoutModel }) => (
      <>
        {checkout.state.method === 'card' && <Installments checkout={checkout} />}
        {details && <details.Details checkout={checkout} />}
        <Terms checkout={checkout} />
      </>
    ),
  };
}
