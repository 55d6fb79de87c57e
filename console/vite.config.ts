/** Builds the console into `dist/console`: a static single-page app below `/console/`. */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // The automatic JSX runtime needs no plugin.
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2024',
    // The content security policy refuses inline fonts, and a polyfill would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `npm run console:size` says which chunks are too large.
    chunkSizeWarningLimit: 2_000,
    manifest: true,
    rolldownOptions: {
      // Packages mark what React's server must not run; there is no server here.
      onLog(level, log, handle) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
});
