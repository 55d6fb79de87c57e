/** Configures Vite to build the console: a static single-page app below `/console/`. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // Vite supports the automatic JSX runtime without a plugin.
  oxc: { jsx: { runtime: 'automatic' } },
  worker: { format: 'es' },
  build: {
    outDir: 'dist/bundle',
    emptyOutDir: true,
    target: 'es2024',
    // The content security policy refuses inlined fonts, and the polyfill would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `npm run size -w packages/console` checks the sizes instead.
    chunkSizeWarningLimit: 2_000,
    manifest: true,
    rolldownOptions: {
      // Packages have "use client" directives for React servers, which the console does not use.
      onLog(level, log, handle) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
