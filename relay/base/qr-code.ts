import { encode } from 'uqr';

/** The light border that scanners need, in modules. */
const BORDER = 4;

/** A text as a QR code, an SVG: dark on light in every theme, so that cameras find it. */
export function qrCode(text: string): string {
  const { size, data } = encode(text, { border: BORDER });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark && !row[x - 1] ? [`M${x} ${y}h${row.indexOf(false, x) - x}v1H${x}z`] : [])),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${runs.join('')}"/></svg>`;
}
