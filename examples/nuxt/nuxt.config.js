export default defineNuxtConfig({
  compatibilityDate: '2026-11-28',
  css: ['~/assets/shop.css'],
  app: {
    head: { title: 'Turnpike in a Nuxt page', htmlAttrs: { lang: 'en' }, link: [{ rel: 'icon', href: 'data:,' }] },
  },
  // Set as NUXT_API_KEY and NUXT_PUBLIC_RELAY_URL where the server runs.
  runtimeConfig: { apiKey: '', public: { relayUrl: '' } },
  vue: { compilerOptions: { isCustomElement: (tag) => tag === 'turnpike-checkout' } },
});
