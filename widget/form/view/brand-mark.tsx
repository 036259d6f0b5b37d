import { BlankMark } from './blank-mark.tsx';

/** How we draw a brand: a colour and a word, or two discs. Small drawings of our own, not the brands' artwork. */
const WORDS: Readonly<Record<string, readonly [colour: string, word: string]>> = {
  visa: ['#1a1f71', 'VISA'],
  'american-express': ['#006fcf', 'AMEX'],
  elo: ['#111', 'elo'],
  hiper: ['#b45309', 'Hiper'],
  hipercard: ['#b3131b', 'Hiper'],
  'diners-club': ['#0a4a80', 'Diners'],
  discover: ['#b45309', 'Disc'],
  jcb: ['#0b5ea8', 'JCB'],
  unionpay: ['#00607a', 'UP'],
  mir: ['#3d7a1f', 'MIR'],
  troy: ['#006b72', 'troy'],
  verve: ['#a3142d', 'Verve'],
  naranja: ['#b5450b', 'NX'],
};
const DISCS: Readonly<Record<string, readonly [left: string, right: string]>> = {
  mastercard: ['#eb001b', '#f79e1b'],
  maestro: ['#0099df', '#ed0006'],
};

/** A brand's mark; an unknown one's is a blank card. */
export function BrandMark({ id = '' }: { id: string | undefined }) {
  const word = WORDS[id];
  const discs = DISCS[id];
  if (!word && !discs) return <BlankMark />;
  return (
    <svg class="mark" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true">
      <rect x=".5" y=".5" width="35" height="23" rx="4" fill={word?.[0] ?? '#fff'} class="edge" />
      {word && (
        <text x="18" y="16" fill="#fff" text-anchor="middle">
          {word[1]}
        </text>
      )}
      {discs && <circle cx="14" cy="12" r="7" fill={discs[0]} />}
      {discs && <circle cx="22" cy="12" r="7" fill={discs[1]} fill-opacity=".85" />}
    </svg>
  );
}
