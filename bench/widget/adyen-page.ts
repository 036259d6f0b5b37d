import { AdyenCheckout, Card } from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';

/** A shop's script for Adyen's Card, as in the documentation of its advanced flow. The page gives the address of Adyen's server. */
const place = document.getElementById('card');
const api = place?.dataset.api ?? '';

const checkout = await AdyenCheckout({
  clientKey: 'bench',
  environment: 'live',
  locale: 'en-US',
  countryCode: 'BR',
  amount: { value: 12990, currency: 'BRL' },
  paymentMethodsResponse: {
    paymentMethods: [{ type: 'scheme', name: 'Cards', brands: ['visa', 'mc'] }],
  },
  onSubmit: () => {},
  _environmentUrls: { api, analytics: api, cdn: { images: api, translations: api } },
});
// Our form has a field for the name too.
if (place) new Card(checkout, { hasHolderName: true, holderNameRequired: true }).mount(place);
