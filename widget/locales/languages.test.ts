import { describe, expect, it } from 'vitest';
import { translateCount } from './count.ts';
import en from './en.json' with { type: 'json' };
import es419 from './es-419.json' with { type: 'json' };
import { findLanguage, languages } from './languages.ts';
import { type LocaleTexts, type TextsOfVariant, translator } from './messages.ts';
import ptPT from './pt-PT.json' with { type: 'json' };

const english: Readonly<Record<string, string>> = { ...en.form, ...en.fields, ...en.hosted };
const counted = Object.keys(english).flatMap((key) => (key.endsWith('_other') ? [key.slice(0, -'_other'.length)] : []));
const PLURAL = new RegExp(`^(${counted.join('|')})_(zero|one|two|few|many|other)$`);

/** The keys of texts that are the same as in English, because the words are. */
const COGNATES: Readonly<Record<string, readonly string[]>> = {
  'pt-BR': ['item_total', 'total'],
  'pt-PT': ['item_total', 'total'],
  'es-ES': ['item_total', 'total'],
  'es-419': ['item_total', 'total'],
  fr: ['paid_on', 'state_province', 'total'],
  de: ['optional', 'bank', 'paid_to', 'state_region'],
  it: ['email'],
  nl: ['bank', 'postcode'],
  pl: ['bank', 'state_region'],
  // Indonesian has no other word for a county.
  id: ['bank', 'email', 'item_total', 'state_county', 'total'],
  vi: ['email'],
};

/** The quotes, stops and spaces that a language does not use. */
const WRONG: readonly [languages: RegExp, writes: RegExp][] = [
  [/./, /\.\.\.|["'`]| {2}|^\s|\s$|\s[,.]/],
  [/^(?!fr|de|pl|ru|uk)/, /[«»„‚‹›]/],
  [/^pl/, /[«»“‚‹›]/],
  [/^(ru|uk)/, /[„“”‚‹›]/],
  [/^de/, /[«»”‘]/],
  // French has a narrow no-break space before these marks.
  [/^fr/, /[^\u202f\u00a0][?!:;»](?!\/\/)|[“”„]/],
  [/^es/, /^[^¿]*\?|^[^¡]*!/],
  // Full-width stops between full-width characters, and no spaces.
  [/^(ja|zh)/, /[\u3040-\u30ff\u4e00-\u9fff][,.?!:;() ]+[\u3040-\u30ff\u4e00-\u9fff]|[,.?!:;]$/],
  [/^ar/, /[?,;]/],
  [/^hi/, /[\u0900-\u097f]\./],
  [/^(ru|uk)/, /[A-Za-z]*[а-яіїєґ][A-Za-z]|[A-Za-z][а-яіїєґ]/i],
  // Instructions are calm, and say neither “please” nor “sorry”, unless they would be rude without them.
  [/./, /[!¡！]/],
  [
    /^(?!vi|th|ja|ko|zh)/,
    /please|sorry|bitte|veuillez|por favor|per favore|alsjeblieft|prosz|lütfen|пожалуйста|будь ласка|يُرجى|נא |कृपया|silakan|mohon|harap/i,
  ],
];

/** The keys of the texts under a wrong field. */
const FIELD_ERROR =
  /^(?!fields_).*_(missing|incomplete|invalid|too_long|past|far|future)$|^(too_long|digits_only|card_in_field|bank_unknown|file_(kind|large|unreadable))$/;

/** The verbs of those texts, in the form that each language uses for instructions. */
const INSTRUCTIONS: Readonly<Record<string, RegExp>> = {
  en: /^(Enter|Check|Choose|Fill in|Remove|Do not enter) /,
  'pt-BR': /^(Digite|Confira|Escolha|Preencha|Remova|Não digite) /,
  'pt-PT': /^(Indique|Verifique|Escolha|Preencha|Remova|Use|Não indique) /,
  'es-ES': /^(Indica|Revisa|Elige|Rellena|Quita|Usa|No indiques) /,
  'es-419': /^(Ingresa|Revisa|Elige|Completa|Quita|Usa|No ingreses) /,
  fr: /^(Saisissez|Vérifiez|Choisissez|Remplissez|Supprimez|Ne saisissez pas) /,
  de: /(eingeben|prüfen|auswählen|ausfüllen|entfernen)(,|$)/,
  it: /^(Inserisci|Controlla|Scegli|Compila|Togli|Usa|Non inserire) /,
  nl: /^(Vul|Controleer|Kies|Verwijder) /,
  pl: /^(Podaj|Sprawdź|Wybierz|Wypełnij|Usuń|Nie podawaj) /,
  tr: /(girin|kontrol edin|seçin|doldurun|silin|girmeyin)(,|$)/,
  ru: /^(Введите|Проверьте|Выберите|Заполните|Удалите|Не вводите) /,
  uk: /^(Введіть|Перевірте|Виберіть|Заповніть|Видаліть|Не вводьте) /,
  ar: /^(أدخل|تحقّق|اختر|املأ|احذف|لا تُدخل) /,
  he: /^(הזינו|בדקו|בחרו|מלאו|מחקו|אל תזינו) /,
  hi: /(डालें|जाँचें|चुनें|भरें|हटाएँ)$/,
  id: /^(Masukkan|Periksa|Pilih|Isi|Hapus|Jangan masukkan) /,
  vi: /^(Nhập|Kiểm tra|Chọn|Xóa|Chỉ nhập|Không nhập) /,
  th: /^(กรอก|ตรวจสอบ|เลือก|ลบ|อย่ากรอก)/,
  'zh-CN': /^请(输入|仅输入|检查|选择|填写|删除|减少|勿)/,
  'zh-TW': /^請(輸入|僅輸入|檢查|選擇|填寫|刪除|減少|勿)/,
  // Date and code stand beside each other: their errors are as short as a heading.
  ja: /ください$|^[^、。]{1,12}(入力|確認)$/,
  ko: /주세요$/,
};

/** Languages whose sentences end without a stop. */
const STOPLESS = ['th'];

describe.each(Object.entries(languages))('the texts in %s', (lang, { form, fields, hosted }) => {
  const texts = Object.entries({ ...form, ...fields, ...hosted });
  /** The keys and texts for which `isWrong` is true; `model` is the English text. */
  const offending = (isWrong: (text: string, model: string, key: string) => boolean) =>
    texts.filter(([key, text]) => isWrong(text, modelOf(key), key)).map(([key, text]) => `${key}: ${text}`);

  it('have English’s keys and every plural form of the language', () => {
    const forms = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
    const keys = Object.keys(english).flatMap((key) => {
      if (key.endsWith('_other')) return forms.map((category) => key.replace('_other', `_${category}`));
      return PLURAL.test(key) ? [] : [key];
    });
    expect(texts.map(([key]) => key).sort()).toEqual(keys.sort());
  });

  it('have the same placeholders as English', () => {
    const wrong = offending((text, model, key) => {
      const found = placeholders(text);
      const whole = leavesNumberOut(lang, key, text) ? [...found, '{count}'].sort() : found;
      return String(whole) !== String(placeholders(model)) || /[{}]/.test(text.replaceAll(/\{\w+\}/g, ''));
    });
    expect(wrong).toEqual([]);
  });

  it('are not English, except for words that are the same', () => {
    const isWord = (text: string) => /\p{Ll}/u.test(text.replaceAll(/\{\w+\}/g, ''));
    const same = texts.filter(([key, text]) => text === modelOf(key) && isWord(text)).map(([key]) => key);
    expect(lang === 'en' ? [] : same.sort()).toEqual([...(COGNATES[lang] ?? [])].sort());
  });

  it('use the typography of the language', () => {
    const patterns = WRONG.flatMap(([where, pattern]) => (where.test(lang) ? [pattern] : []));
    expect(offending((text) => patterns.some((pattern) => pattern.test(text)))).toEqual([]);
  });

  it('instruct in the same form under each field', () => {
    const errors = texts.filter(([key]) => FIELD_ERROR.test(key));
    expect(errors.length).toBeGreaterThan(30);
    expect(errors.filter(([, text]) => !INSTRUCTIONS[lang]?.test(text) || /[.。।？?؟]$/.test(text))).toEqual([]);
  });

  it('are sentences where English has sentences', () => {
    const ends = (text: string) => /[.。।]$/.test(text);
    const wrong = offending((text, model) => !STOPLESS.includes(lang) && ends(text) !== ends(model));
    expect(wrong).toEqual([]);
  });

  it('are short enough for the form', () => {
    const limit = (model: string) => Math.max(2.2 * model.length, model.length + 14);
    expect(offending((text, model) => text.length > limit(model))).toEqual([]);
  });

  it('count with every number, and never show a key', () => {
    const t = translator({ ...form, ...fields });
    for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]) {
      expect(translateCount(t, { lang, locale: lang }, 'banks_found', count)).not.toMatch(/banks_found|[{}]/);
    }
  });
});

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

/** The English text of a key: for every plural form, the one of most numbers. */
function modelOf(key: string): string {
  const [, base] = PLURAL.exec(key) ?? [];
  return english[base === undefined ? key : `${base}_other`] ?? '';
}

/** Whether a text leaves the number out, as a plural form may that is used for one number only. Zero is never counted. */
function leavesNumberOut(lang: string, key: string, text: string): boolean {
  const form = PLURAL.exec(key)?.[2];
  const rules = new Intl.PluralRules(lang);
  const numbers = Array.from({ length: 200 }, (_, index) => index + 1).filter((count) => rules.select(count) === form);
  return form !== undefined && numbers.length === 1 && !text.includes('{count}');
}

it.each([
  ['pt-PT', ptPT, 'pt-BR'],
  ['es-419', es419, 'es-ES'],
])('%s has only texts that differ from its sibling', (_, own, sibling) => {
  const texts = (all: LocaleTexts | TextsOfVariant | undefined) =>
    new Map(Object.entries({ ...all?.form, ...all?.fields, ...all?.hosted }));
  const shared = texts(languages[sibling]);
  expect([...texts(own)].filter(([key, text]) => shared.get(key) === text)).toEqual([]);
});

it('has every language', () => {
  const named = 'en pt-BR pt-PT es-ES es-419 fr de it nl pl tr ru uk ar he hi id vi th zh-CN zh-TW ja ko';
  expect(Object.keys(languages).sort()).toEqual(named.split(' ').sort());
});

it('fills every placeholder', () => {
  const t = translator(findLanguage(['pt']).form);
  expect(t('pay', { amount: 'R$ 1,00' })).toBe('Pagar R$ 1,00');
});

it('isolates placeholder values in right-to-left languages', () => {
  const { dir, form } = findLanguage(['ar']);
  expect(dir).toBe('rtl');
  expect(translator(form)('heading', { merchant: 'Folha & Co.' })).toContain('\u2068Folha & Co.\u2069');
});
