/** A script and the hash that pins it, as `integrity` and content security policies take it. */
type PinnedScript = { file: string; integrity: string; purpose: string };

/** All scripts that take part in a payment. */
type PinnedScripts = {
  loader: PinnedScript;
  doctor: PinnedScript;
  form: readonly PinnedScript[];
  inline: readonly PinnedScript[];
};

/** `GET /embed.json`: what a shop's page needs to hold the form, and the inventory of its scripts (PCI DSS 6.4.3). */
type Embedding = {
  /** The script element, pinned. */
  script: string;
  /** Directives for the page's content security policy. */
  csp: string[];
  /** `page` scripts run in the shop's page, `frame` ones in the form's. One without `url` stands inline in its document. */
  scripts: { url?: string; integrity: string; runs_in: 'page' | 'frame'; purpose: string }[];
};

/** The embedding of a checkout that is served at `origin`. */
export function embedding(origin: string, { loader, doctor, form, inline }: PinnedScripts): Embedding {
  const at = (runs_in: 'page' | 'frame', { file, integrity, purpose }: PinnedScript) => ({
    url: `${origin}/${file}`,
    integrity,
    runs_in,
    purpose,
  });
  return {
    script: `<script src="${origin}/${loader.file}" integrity="${loader.integrity}" crossorigin="anonymous" async></script>`,
    csp: [`script-src ${origin}`, `frame-src ${origin}`],
    scripts: [
      at('page', loader),
      // By the name that the loader asks for, pinned or not.
      at('page', { ...doctor, file: 'turnpike-doctor.js' }),
      ...form.map((script) => at('frame', script)),
      ...inline.map(({ integrity, purpose }) => ({ integrity, runs_in: 'frame' as const, purpose })),
    ],
  };
}
