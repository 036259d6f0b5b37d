import { html } from '../html.ts';

/** A tin of tea beside a steaming cup. */
export const teaPicture = html`<svg class="picture" viewBox="0 0 480 340" role="img" aria-label="A green tin of tea beside a steaming cup">
<defs>
<linearGradient id="air" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#e7efe2"/><stop offset="1" stop-color="#f6f1e4"/></linearGradient>
<linearGradient id="tin" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#23513f"/><stop offset=".35" stop-color="#3a7a60"/><stop offset="1" stop-color="#1c4333"/></linearGradient>
<linearGradient id="lid" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#b98b3e"/><stop offset=".35" stop-color="#e6c47f"/><stop offset="1" stop-color="#9c722c"/></linearGradient>
<linearGradient id="cup" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#fffdf8"/><stop offset="1" stop-color="#e4dccb"/></linearGradient>
</defs>
<rect width="480" height="340" fill="url(#air)"/>
<path d="M0 210c60-48 112-62 168-34 46-52 108-66 160-20 50-30 104-22 152 22v162H0z" fill="#cfdfc6"/>
<path d="M0 246c90-34 170-30 240-6 82-26 162-24 240 4v96H0z" fill="#b7cfae"/>
<rect y="276" width="480" height="64" fill="#e9dcc0"/>
<ellipse cx="172" cy="296" rx="92" ry="10" fill="#000" opacity=".1"/>
<ellipse cx="338" cy="298" rx="82" ry="9" fill="#000" opacity=".1"/>
<rect x="98" y="92" width="148" height="204" rx="14" fill="url(#tin)"/>
<rect x="92" y="68" width="160" height="38" rx="10" fill="url(#lid)"/>
<rect x="98" y="140" width="148" height="116" fill="#f7f1e2"/>
<path d="M172 156c24 10 30 34 0 62-30-28-24-52 0-62z" fill="#5c9a6f"/>
<path d="M172 162v66" stroke="#2c5f46" stroke-width="2.5" stroke-linecap="round"/>
<path d="M172 196l12-12M172 206l-12-12" stroke="#2c5f46" stroke-width="2" stroke-linecap="round"/>
<text x="172" y="246" text-anchor="middle" font-family="Georgia, serif" font-size="15" letter-spacing="1.5" fill="#2c4a3c">FOLHA</text>
<path d="M372 226h18a24 24 0 0 1 0 48h-24" fill="none" stroke="#e4dccb" stroke-width="10"/>
<path d="M276 208h112c0 50-14 84-36 88h-40c-22-4-36-38-36-88z" fill="url(#cup)"/>
<ellipse cx="332" cy="208" rx="56" ry="10" fill="#f3ecdc"/>
<ellipse cx="332" cy="209" rx="49" ry="7" fill="#a9a94a"/>
<g fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".75"><path d="M314 184c-10-16 10-24 0-42"/><path d="M336 178c-10-18 10-28 0-50"/><path d="M358 184c-10-16 10-24 0-42"/></g>
</svg>`;
