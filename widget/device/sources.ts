/**
 * Sources of the library that could only fail, with a report on the console: the first one writes markup into a frame, and the second
 * one a handler into an attribute, which the page's Trusted Types policy forbids; the third one sets a cookie, which no
 * browser accepts in a frame of another site.
 */
export const EXCLUDED: readonly string[] = ['fontPreferences', 'domBlockers', 'cookiesEnabled'];

/** Sources of the library that have a replacement which does not call them. */
export const REPLACED: readonly string[] = ['fonts'];
