import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';
import type { FormPart } from './view.ts';

/** One script of the build, with its purpose for the inventory of scripts (PCI DSS 6.4.3). */
export type BuiltScript = { file: string; purpose: string };

/** `dist/build.json`: the files of the widget's build, which the relay serves. Paths are relative to `dist`. */
export type BuildManifest = {
  /** A hash of all sources. Another hash means that the build is stale. */
  sources: string;
  /** Every file that is named below. */
  files: string[];
  /** The npm packages with code or data in these files, as paths below the repository's folder. */
  packages: string[];
  /** The loader, `turnpike.js`. */
  loader: BuiltScript;
  /** The module that `Turnpike.doctor()` loads. */
  doctor: BuiltScript;
  /** The scripts that the form loads, and by part those that a page should load at once. */
  form: { files: BuiltScript[]; preload: Record<FormPart, string[]> };
  /** Inline scripts of pages: the script that reports the first paint, the form's module, and the doctor's hidden page. */
  inline: Record<'painted' | 'form' | 'probe', BuiltScript>;
  /** The form's whole style sheet, inlined into the page. */
  css: string;
  /** The module of type `RenderModule`. */
  render: string;
  /**
   * Scripts of earlier builds that open pages may still request: pinned loaders, and scripts that an open form loads
   * later.
   */
  earlier: string[];
};

/** A script, and the hash that pins it in `integrity` and in content security policies. */
type PinnedScript = BuiltScript & { integrity: string };

/** All scripts of a payment. */
type PinnedScripts = {
  loader: PinnedScript;
  doctor: PinnedScript;
  form: readonly PinnedScript[];
  inline: readonly PinnedScript[];
};

/**
 * `GET /embed.json`: the values that a shop's page needs to embed the form, and the inventory of its scripts (PCI DSS
 * 6.4.3).
 */
export const embeddingAnswer = z
  .object({
    script: string.describe('The script element, with its integrity.'),
    csp: z.array(z.string()).describe('The directives that your own content security policy must allow.'),
    scripts: z
      .array(
        z.object({
          url: optionalString.describe('Its address. Absent for an inline script.'),
          integrity: string.describe(
            'Its hash, for `integrity` or, of an inline script, as a content security policy names it.',
          ),
          runs_in: z
            .enum(['page', 'frame'])
            .describe('`page`: the shop’s page; `frame`: a page of the checkout’s own, in its frame.'),
          purpose: string.describe('Its purpose.'),
        }),
      )
      .describe('Every script that is part of a payment.'),
  })
  .meta({ name: 'Embedding', description: 'What a page needs for the form.' });
type Embedding = z.infer<typeof embeddingAnswer>;

/** The values for embedding a checkout that is served at `origin`. */
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
      // By the name that the loader requests, pinned or not.
      at('page', { ...doctor, file: 'turnpike-doctor.js' }),
      ...form.map((script) => at('frame', script)),
      ...inline.map(({ integrity, purpose }) => ({ integrity, runs_in: 'frame' as const, purpose })),
    ],
  };
}
