import type { FormPart } from './view.ts';

/** One script of the build, and what it is for, as the inventory of scripts tells it (PCI DSS 6.4.3). */
export type BuiltScript = { file: string; purpose: string };

/** `dist/build.json`: what the widget's build made, for the relay to serve. Paths are relative to `dist`. */
export type BuildManifest = {
  /** A hash of every source that went in; another one means that the build is stale. */
  sources: string;
  /** Every file that is named below. */
  files: string[];
  /** The npm packages that these hold code or data of, as paths below the repository's folder. */
  packages: string[];
  /** The loader, `turnpike.js`. */
  loader: BuiltScript;
  /** The module that `Turnpike.doctor()` loads. */
  doctor: BuiltScript;
  /** The scripts that the form loads, and by part those that a page should load at once. */
  form: { files: BuiltScript[]; preload: Record<FormPart, string[]> };
  /** Scripts that pages carry inline: the one that tells that the page stands, the form's module, and the doctor's hidden page. */
  inline: Record<'painted' | 'form' | 'probe', BuiltScript>;
  /** The form's whole style sheet, inlined into the page. */
  css: string;
  /** The module of type `RenderModule`. */
  render: string;
  /** Scripts of earlier builds that pages may still ask for: pinned loaders, and what a form that is open loads later. */
  earlier: string[];
};
