import { AdyenCheckout, Card } from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';

/** A shop's own script for Adyen's Card, as the documentation of its advanced flow has it. Its page says where Adyen is. */
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
// Ours asks for the name too.
if (place) new Card(checkout, { hasHolderName: true, holderNameRequired: true }).mount(place);
