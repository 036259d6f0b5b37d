import { formatExpiry } from '../card/expiry.ts';
import { formatCode, formatNumber } from '../card/number.ts';
import { expectedCode, typedBrand } from '../fields.ts';
import type { CheckoutModel } from '../model.ts';
import { AcceptedBrands, acceptedBrands, Mark } from './accepted-brands.tsx';
import { Field, Input } from './field.tsx';

/**
 * The card's inputs, with the exact autocomplete tokens that browsers fill. Their description announces the outcome of
 * the last attempt to a shopper who must type the number or the code again.
 */
export function CardFields({ checkout }: { checkout: CheckoutModel }) {
  const { t, state } = checkout;
  const brand = typedBrand(state);
  const brands = acceptedBrands(state.view);
  // Among other methods they are beside the card's name.
  const showsBrands = state.view.methods.length === 1 && brands.length > 0 && !state.values.card;
  return (
    <>
      <Field checkout={checkout} name="card" label={t('number')}>
        <Input
          checkout={checkout}
          name="card"
          autocomplete="cc-number"
          inputMode="numeric"
          format={formatNumber}
          describedBy={`${showsBrands ? 'accepted ' : ''}brand${messageOf(checkout)}`}
        />
        {showsBrands ? <AcceptedBrands brands={brands} /> : <Mark name={brand?.id} />}
        <span class="unseen" id="brand">
          {brand?.name}
        </span>
      </Field>
      <div class="row">
        <Field checkout={checkout} name="expiry" label={t('expiry')}>
          <Input
            checkout={checkout}
            name="expiry"
            autocomplete="cc-exp"
            inputMode="numeric"
            placeholder={t('expiry_format')}
            format={formatExpiry}
          />
        </Field>
        <SecurityCode checkout={checkout} />
      </div>
      <Field checkout={checkout} name="name" label={t('name')}>
        <Input checkout={checkout} name="name" autocomplete="cc-name" />
      </Field>
    </>
  );
}

/** The security code, with the name and length of the card's brand. */
export function SecurityCode({ checkout }: { checkout: CheckoutModel }) {
  const code = expectedCode(checkout.state);
  return (
    <Field checkout={checkout} name="security_code" label={checkout.t('code')}>
      <Input
        checkout={checkout}
        name="security_code"
        autocomplete="cc-csc"
        inputMode="numeric"
        placeholder={code.name}
        format={(text) => formatCode(text, code.size)}
        describedBy={`code-name${messageOf(checkout)}`}
      />
      {/* Where it stands: in the signature strip, or on the front above the number. */}
      <Mark name={code.certain && code.size === 4 ? 'front' : 'back'} />
      <span class="unseen" id="code-name">
        {code.name}
      </span>
    </Field>
  );
}

/** The id of the message, if there is one. */
function messageOf({ state }: CheckoutModel): string {
  return state.message ? ' field-message' : '';
}
