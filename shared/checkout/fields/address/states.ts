import { remembered } from '../../remembered.ts';

/**
 * The states of countries whose addresses have a state from a list: ISO 3166-2 codes without the country’s part (July
 * 2026), and the names as on letters. The American ones include the postal service’s codes for the armed forces.
 */
const STATES: Readonly<Record<string, string>> = {
  AR: 'B Buenos Aires|K Catamarca|H Chaco|U Chubut|C Ciudad Autónoma de Buenos Aires|X Córdoba|W Corrientes|E Entre Ríos|P Formosa|Y Jujuy|L La Pampa|F La Rioja|M Mendoza|N Misiones|Q Neuquén|R Río Negro|A Salta|J San Juan|D San Luis|Z Santa Cruz|S Santa Fe|G Santiago del Estero|V Tierra del Fuego|T Tucumán',
  AU: 'ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|VIC Victoria|WA Western Australia',
  BR: 'AC Acre|AL Alagoas|AP Amapá|AM Amazonas|BA Bahia|CE Ceará|DF Distrito Federal|ES Espírito Santo|GO Goiás|MA Maranhão|MT Mato Grosso|MS Mato Grosso do Sul|MG Minas Gerais|PA Pará|PB Paraíba|PR Paraná|PE Pernambuco|PI Piauí|RJ Rio de Janeiro|RN Rio Grande do Norte|RS Rio Grande do Sul|RO Rondônia|RR Roraima|SC Santa Catarina|SP São Paulo|SE Sergipe|TO Tocantins',
  CA: 'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NT Northwest Territories|NS Nova Scotia|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon',
  CL: 'AN Antofagasta|AP Arica y Parinacota|AT Atacama|AI Aysén|BI Biobío|CO Coquimbo|AR La Araucanía|LL Los Lagos|LR Los Ríos|MA Magallanes|ML Maule|RM Metropolitana de Santiago|NB Ñuble|LI O’Higgins|TA Tarapacá|VS Valparaíso',
  CO: 'AMA Amazonas|ANT Antioquia|ARA Arauca|ATL Atlántico|DC Bogotá D. C.|BOL Bolívar|BOY Boyacá|CAL Caldas|CAQ Caquetá|CAS Casanare|CAU Cauca|CES Cesar|CHO Chocó|COR Córdoba|CUN Cundinamarca|GUA Guainía|GUV Guaviare|HUI Huila|LAG La Guajira|MAG Magdalena|MET Meta|NAR Nariño|NSA Norte de Santander|PUT Putumayo|QUI Quindío|RIS Risaralda|SAP San Andrés y Providencia|SAN Santander|SUC Sucre|TOL Tolima|VAC Valle del Cauca|VAU Vaupés|VID Vichada',
  ES: 'C A Coruña|VI Álava/Araba|AB Albacete|A Alicante/Alacant|AL Almería|O Asturias|AV Ávila|BA Badajoz|B Barcelona|BI Bizkaia|BU Burgos|CC Cáceres|CA Cádiz|S Cantabria|CS Castellón/Castelló|CE Ceuta|CR Ciudad Real|CO Córdoba|CU Cuenca|SS Gipuzkoa|GI Girona|GR Granada|GU Guadalajara|H Huelva|HU Huesca|PM Illes Balears|J Jaén|LO La Rioja|GC Las Palmas|LE León|L Lleida|LU Lugo|M Madrid|MA Málaga|ML Melilla|MU Murcia|NA Navarra|OR Ourense|P Palencia|PO Pontevedra|SA Salamanca|TF Santa Cruz de Tenerife|SG Segovia|SE Sevilla|SO Soria|T Tarragona|TE Teruel|TO Toledo|V Valencia/València|VA Valladolid|ZA Zamora|Z Zaragoza',
  IN: 'AN Andaman and Nicobar Islands|AP Andhra Pradesh|AR Arunachal Pradesh|AS Assam|BR Bihar|CH Chandigarh|CG Chhattisgarh|DH Dadra and Nagar Haveli and Daman and Diu|DL Delhi|GA Goa|GJ Gujarat|HR Haryana|HP Himachal Pradesh|JK Jammu and Kashmir|JH Jharkhand|KA Karnataka|KL Kerala|LA Ladakh|LD Lakshadweep|MP Madhya Pradesh|MH Maharashtra|MN Manipur|ML Meghalaya|MZ Mizoram|NL Nagaland|OD Odisha|PY Puducherry|PB Punjab|RJ Rajasthan|SK Sikkim|TN Tamil Nadu|TS Telangana|TR Tripura|UP Uttar Pradesh|UK Uttarakhand|WB West Bengal',
  JP: '01 北海道 Hokkaido|02 青森県 Aomori|03 岩手県 Iwate|04 宮城県 Miyagi|05 秋田県 Akita|06 山形県 Yamagata|07 福島県 Fukushima|08 茨城県 Ibaraki|09 栃木県 Tochigi|10 群馬県 Gunma|11 埼玉県 Saitama|12 千葉県 Chiba|13 東京都 Tokyo|14 神奈川県 Kanagawa|15 新潟県 Niigata|16 富山県 Toyama|17 石川県 Ishikawa|18 福井県 Fukui|19 山梨県 Yamanashi|20 長野県 Nagano|21 岐阜県 Gifu|22 静岡県 Shizuoka|23 愛知県 Aichi|24 三重県 Mie|25 滋賀県 Shiga|26 京都府 Kyoto|27 大阪府 Osaka|28 兵庫県 Hyogo|29 奈良県 Nara|30 和歌山県 Wakayama|31 鳥取県 Tottori|32 島根県 Shimane|33 岡山県 Okayama|34 広島県 Hiroshima|35 山口県 Yamaguchi|36 徳島県 Tokushima|37 香川県 Kagawa|38 愛媛県 Ehime|39 高知県 Kochi|40 福岡県 Fukuoka|41 佐賀県 Saga|42 長崎県 Nagasaki|43 熊本県 Kumamoto|44 大分県 Oita|45 宮崎県 Miyazaki|46 鹿児島県 Kagoshima|47 沖縄県 Okinawa',
  MX: 'AGU Aguascalientes|BCN Baja California|BCS Baja California Sur|CAM Campeche|CHP Chiapas|CHH Chihuahua|CMX Ciudad de México|COA Coahuila|COL Colima|DUR Durango|MEX Estado de México|GUA Guanajuato|GRO Guerrero|HID Hidalgo|JAL Jalisco|MIC Michoacán|MOR Morelos|NAY Nayarit|NLE Nuevo León|OAX Oaxaca|PUE Puebla|QUE Querétaro|ROO Quintana Roo|SLP San Luis Potosí|SIN Sinaloa|SON Sonora|TAB Tabasco|TAM Tamaulipas|TLA Tlaxcala|VER Veracruz|YUC Yucatán|ZAC Zacatecas',
  US: 'AL Alabama|AK Alaska|AS American Samoa|AZ Arizona|AR Arkansas|AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|VI U.S. Virgin Islands|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming',
};

/** Former and colloquial codes and names, in the form of `plain()`. */
const ALSO: Readonly<Record<string, string>> = {
  AR: 'C CABA|C CAPITALFEDERAL|C CIUDADDEBUENOSAIRES|V TIERRADELFUEGOANTARTIDAEISLASDELATLANTICOSUR',
  CA: 'BC COLOMBIEBRITANNIQUE|PE ILEDUPRINCEEDOUARD|NL LABRADOR|NL NEWFOUNDLAND|NL NF|NB NOUVEAUBRUNSWICK|NS NOUVELLEECOSSE|NT NWT|PE PEI|QC PQ|NL TERRENEUVE|NL TERRENEUVEETLABRADOR|YT TERRITOIREDUYUKON|NT TERRITOIRESDUNORDOUEST|YT YUKONTERRITORY',
  CL: 'AI AISEN|AI AISENDELGENERALCARLOSIBANEZDELCAMPO|AR ARAUCANIA|AI AYSENDELGENERALCARLOSIBANEZDELCAMPO|LI LIBERTADORGENERALBERNARDOOHIGGINS|MA MAGALLANESYDELAANTARTICACHILENA|RM METROPOLITANA|RM SANTIAGO',
  CO: 'SAP ARCHIPIELAGODESANANDRESPROVIDENCIAYSANTACATALINA|DC BOGOTA|DC BOGOTADISTRITOCAPITAL|DC DISTRITOCAPITAL|DC DISTRITOCAPITALDEBOGOTA|SAP SANANDRES|SAP SANANDRESPROVIDENCIAYSANTACATALINA|VAC VALLE',
  ES: 'PM BALEARES|CS CASTELLONDELAPLANA|CE CIUDADAUTONOMADECEUTA|ML CIUDADAUTONOMADEMELILLA|GI GERONA|GC GRANCANARIA|SS GUIPUZCOA|PM ISLASBALEARES|C LACORUNA|L LERIDA|NA NAFARROA|OR ORENSE|TF TENERIFE|BI VIZCAYA',
  IN: 'CG CT|OD OR|TS TG|UK UT|DH DN|DH DD|CG CHATTISGARH|DH DADRAANDNAGARHAVELI|DH DAMANANDDIU|DL NATIONALCAPITALTERRITORYOFDELHI|DL NCTOFDELHI|DL NEWDELHI|OD ORISSA|PY PONDICHERRY|UK UTTARANCHAL',
  MX: 'AGU AGS|BCN BC|CAM CAMP|CMX CDMX|CHH CHIH|CHP CHIS|COA COAH|COA COAHUILADEZARAGOZA|CMX DF|DUR DGO|CMX DIF|CMX DISTRITOFEDERAL|MEX EDOMEX|GUA GTO|HID HGO|MEX MEXICO|MIC MICH|MIC MICHOACANDEOCAMPO|NLE NL|ROO QR|QUE QRO|ROO QROO|QUE QUERETARODEARTEAGA|TAM TAMPS|TLA TLAX|VER VERACRUZDEIGNACIODELALLAVE',
  US: 'DC WASHINGTONDC|VI VIRGINISLANDS',
};

/** Words for "state" that some people write before its name. */
const KINDS = 'REGION|PROVINCIA|DEPARTAMENTO|ESTADO|EDO|COMUNIDAD|COMUNIDADFORAL|PRINCIPADO';

/** The code of a state, which is sent, and its name, which is shown. */
export type StateOption = readonly [code: string, name: string];

/** A country’s states sorted by name (Japan’s from north to south); undefined if any text may be a state. */
export function statesOf(country: string): readonly StateOption[] | undefined {
  return listed(STATES[country]);
}

function listed(text: string | undefined): StateOption[] | undefined {
  return text?.split('|').map((entry) => {
    const space = entry.indexOf(' ');
    return [entry.slice(0, space), entry.slice(space + 1)];
  });
}

/** The code of a state that is given by its code or its name, in any spelling; undefined if it is not in the list. */
export function stateCode(country: string, options: readonly StateOption[], text: string): string | undefined {
  // `BR-SP` is a complete code; `Región de Valparaíso` and `Tokyo-to` contain the word for the kind of state.
  const [, own = text] = (text.includes('-') && new RegExp(`^\\s*${country}-(.+)`, 'iu').exec(text)) || [];
  const entered = plain(own);
  if (!entered) return undefined;
  const [code] = options.find(([known]) => known === entered) ?? [];
  if (code) return code;
  const bare = ['', 'DE', 'DEL'].map((of) => entered.replace(new RegExp(`^(?:${KINDS})${of}`), ''));
  if (country === 'JP') bare.push(entered.replace(/(?:TO|FU|KEN|PREFECTURE|METROPOLIS)$/, ''));
  const codes = codesByName(options);
  const also = new Map(listed(ALSO[country])?.map(([code, name]) => [name, code]));
  return [entered, ...bare].map((one) => also.get(one) ?? codes.get(one)).find(Boolean);
}

/**
 * The codes by all spellings of the names, without signs and accents. Computed once for each list, because it takes 300
 * µs.
 */
const codesByName = remembered((options: readonly StateOption[]): ReadonlyMap<string, string> => {
  // `Valencia/València` and `東京都 Tokyo` are one name in two languages; `東京` is 東京都.
  const names = (name: string): string[] =>
    [name, ...name.split(/\/|(?<=\p{Script=Han}) /u)].flatMap((one) => [one, one.replace(/[都府県]$/, '')]);
  // If two states share a name, the first one counts.
  return new Map(options.toReversed().flatMap(([code, name]) => names(name).map((one) => [plain(one), code])));
});

/** A text without accents, punctuation, spaces and upper case, for comparisons. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll('&', 'AND')
    .replace(/[^\p{L}\p{N}]/gu, '');
}
