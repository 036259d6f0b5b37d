/** The amount of every order. */
export const orderAmount = '129.90';

/** Hexadecimal digits that differ by `seed`, instead of real device data. */
const hex = (length: number, seed: number): string => {
  let text = '';
  for (let at = 0; text.length < length; at++) text += ((seed * 2654435761 + at * 40503) >>> 0).toString(16);
  return text.slice(0, length);
};

/** The body of `POST /v1/sessions` for one order, with all its fields. */
export function sessionBody(orderNo: string): object {
  return {
    order: {
      order_no: orderNo,
      currency: 'BRL',
      amount: orderAmount,
      item_total: '119.90',
      shipping: '10.00',
      items: [
        { name: 'Green tea, first harvest, 100 g', code: 'TEA-0017', price: '59.95', quantity: 1 },
        { name: 'Black tea with bergamot, 100 g', code: 'TEA-0042', price: '59.95', quantity: 1 },
      ],
      note: 'Please leave it with the neighbour at number 12.',
      shopper_id: 'customer-8812',
      platform_source: 'web',
      account_owner: [{ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', past_orders_count: 7 }],
    },
    collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
    return_url: 'http://127.0.0.1:8082/thanks',
    locale: 'pt-BR',
  };
}

/** The number of different browsers. */
const BROWSERS = 100;

/** The `number`th request to pay, some 4 KB: its card, browser and IP address differ from those of the one before. */
export function payRequest(number: number): { headers: Record<string, string>; body: string } {
  const chrome = `${100 + (number % BROWSERS)}.0.${6000 + (number % BROWSERS)}.${number % 7}`;
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': `Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chrome} Mobile Safari/537.36`,
      accept: 'application/json, text/plain, */*',
      'accept-language': 'pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7',
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    },
    body: JSON.stringify(payBody(number, chrome)),
  };
}

/** The body of a payment with all device data. */
function payBody(number: number, chrome: string): object {
  return {
    card: cardNumber(number),
    expiration_month: '12',
    expiration_year: '2030',
    security_code: '737',
    first_name: 'Ada',
    last_name: 'Byron',
    shopper_email: 'ada.byron@example.com',
    shopper_phone: '+55 11 91234-5678',
    document: '123.456.789-09',
    birth_date: '10-12-1985',
    billing_country: 'BR',
    billing_state: 'SP',
    billing_city: 'São Paulo',
    billing_address: 'Avenida Paulista 1578, apartamento 91',
    billing_postal_code: '01310-200',
    delivery_firstname: 'Ada',
    delivery_lastname: 'Byron',
    delivery_country: 'BR',
    delivery_state: 'SP',
    delivery_city: 'São Paulo',
    delivery_address: 'Rua Augusta 2203',
    delivery_postal_code: '01413-000',
    device: {
      browser_lang: 'pt-BR',
      time_zone: 'America/Sao_Paulo',
      resolution: '412x915',
      color_depth: '24',
      device_fingerprint: hex(64, number),
      antifraud_token_cookie: hex(1900, number + 1),
      challenge_window_size: '02',
      client_hints: {
        brands: [
          { brand: 'Chromium', version: chrome },
          { brand: 'Google Chrome', version: chrome },
          { brand: 'Not_A Brand', version: '24' },
        ],
        fullVersionList: [
          { brand: 'Chromium', version: chrome },
          { brand: 'Google Chrome', version: chrome },
          { brand: 'Not_A Brand', version: '24.0.0.0' },
        ],
        mobile: true,
        model: 'Pixel 8',
        platform: 'Android',
        platformVersion: '14.0.0',
      },
    },
  };
}

/** A card number with a valid check digit (Luhn), in a range of test cards. */
function cardNumber(number: number): string {
  const digits = `411111${String(number).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
