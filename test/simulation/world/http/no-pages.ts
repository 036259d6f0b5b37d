import type { Assets } from '../../../../relay/pages/assets.ts';

const script = { file: '', purpose: '', body: Buffer.alloc(0), integrity: '', compressed: new Map() };
const inline = { file: '', purpose: '', code: '', integrity: '' };

/** Browser parts without a build: the title of a page is its message. */
export const noPages: Assets = {
  loader: script,
  doctor: script,
  form: [],
  earlier: new Map(),
  preload: {
    ...{ wording: [], flow: [], views: [], parts: [], details: [], hosted: [] },
    ...{ addresses: [], banks: [], dates: [], documents: [], files: [], phones: [] },
  },
  inline: { painted: inline, form: inline, probe: inline },
  ending: { text: '', deflated: Buffer.alloc(0) },
  css: '',
  render: {
    renderCheckout() {
      throw new Error('no page of a form is opened');
    },
    renderNotice: ({ notice }) => ({ lang: 'en', dir: 'ltr', title: notice, body: '' }),
  },
};
