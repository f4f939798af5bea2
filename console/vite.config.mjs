import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** The components know what they say to screen readers in thirty languages; the console speaks one (`I18nProvider`). */
const inOneLanguage = {
  name: 'in-one-language',
  enforce: 'pre',
  load: (id) =>
    /\/react-(aria|stately|aria-components)\/dist\/.*\/intl\/.*[a-z]{2}-[A-Z]{2}\.m?js$/.test(id) &&
    !/\/en-[A-Z]{2}\./.test(id)
      ? 'export default {};'
      : undefined,
};

/** The browser part alone; the server's sources are compiled like those of every service. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/assets/',
  plugins: [inOneLanguage, react()],
  // What is shared with the services is taken from its sources.
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
    // Browsers that know ES2023 preload modules by themselves; the helper would need an inline style of its own.
    modulePreload: { polyfill: false },
    rollupOptions: { input: 'browser/main.tsx' },
  },
});
