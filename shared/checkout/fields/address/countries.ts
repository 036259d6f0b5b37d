import { remembered } from '../../remembered.ts';

type Country = { code: string; name: string };

/** The inhabited countries by their two-letter codes (ISO 3166-1), and Kosovo, whose code is customary. */
const INHABITED =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

/** Codes of other territories, with few or no inhabitants. */
const OTHERS = 'AQ BV GS HM IO PN TF TK UM';

/** Whether a country has this code, in upper case. */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && `${INHABITED} ${OTHERS}`.includes(code);
}

/** The countries' two-letter codes with their names in a locale, sorted as in that locale. */
export const countries = remembered((locale: string): readonly Country[] => {
  const { compare } = new Intl.Collator(locale);
  return INHABITED.split(' ')
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((left, right) => compare(left.name, right.name));
});

/** A country's name in a locale; its code if it has none. */
export function countryName(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return displayNames(locale).of(code) ?? code;
}

const displayNames = remembered((locale: string) => new Intl.DisplayNames([locale], { type: 'region' }));
