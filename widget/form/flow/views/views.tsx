import { render } from 'preact';
import type { ViewsModule } from '../../model.ts';
import { allMarks, MarkSymbols } from '../../view/mark-symbols.tsx';
import { describeMessage } from './message-view.tsx';
import { Outcome } from './outcome-view.tsx';
import { spokenError } from './spoken-error.ts';
import css from './views.css?inline';

/** The views of messages and outcomes as one module to load. */
export const views: ViewsModule = { Outcome, describeMessage, spokenError };

/** Adds the styles of these views and the drawings of all brands to the page, then returns the views. */
export function addViews(document: Document): ViewsModule {
  dress(document);
  addMarks(document);
  return views;
}

/**
 * Adds the styles of parts that a plain card form does not show at first. The page's policy forbids a style element
 * that a script adds, but not a constructed style sheet. In a browser without constructed sheets, texts are unstyled.
 */
function dress(document: Document): void {
  if (!document.adoptedStyleSheets) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Adds the drawings of all brands. The page has only those that it shows at first. */
function addMarks(document: Document): void {
  const place = document.getElementById('marks');
  if (place) render(<MarkSymbols ids={allMarks} />, place);
}
