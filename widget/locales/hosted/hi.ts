import type { HostedTexts } from '../messages.ts';

export const hostedHi: HostedTexts = {
  order_summary: 'ऑर्डर का सारांश',
  further: 'अन्य आइटम: {count}',
  item_total: 'उप-योग',
  discount: 'छूट',
  shipping: 'शिपिंग',
  shipping_discount: 'शिपिंग पर छूट',
  handling: 'हैंडलिंग शुल्क',
  insurance: 'बीमा',
  tax_total: 'कर',
  total: 'कुल',
  returning: 'आप 3 सेकंड में {merchant} पर वापस पहुँचेंगे।',
  try_again: 'फिर से कोशिश करें',
  check_again: 'फिर से जाँचें',
};
