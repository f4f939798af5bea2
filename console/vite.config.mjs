import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** Removes the components' screen reader texts in thirty languages; the console has one (`I18nProvider`). */
const inOneLanguage = {
  name: 'in-one-language',
  enforce: 'pre',
  load: (id) =>
    /\/react-(aria|stately|aria-components)\/dist\/.*\/intl\/.*[a-z]{2}-[A-Z]{2}\.m?js$/.test(id) &&
    !/\/en-[A-Z]{2}\./.test(id)
      ? 'export default {};'
      : undefined,
};

/** The browser part only; the server's sources are compiled like those of every service. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/assets/',
  plugins: [inOneLanguage, react()],
  // Code that is shared with the services is bundled from its sources.
  resolve: { conditions: ['@itsm/source', ...defaultClientConditions] },
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist/browser',
    assetsDir: 'assets',
    manifest: true,
    sourcemap: false,
    target: 'es2023',
    // Browsers with ES2023 preload modules natively; the polyfill would need an inline style.
    modulePreload: { polyfill: false },
    rollupOptions: { input: 'browser/main.tsx' },
  },
});
