/** `npx node docs/.vitepress/preview.ts`: serves the built site on this machine. VitePress's own preview listens on all interfaces. */
import { preview } from 'vite';

const server = await preview({
  configFile: false,
  appType: 'mpa',
  base: process.env.DOCS_BASE ?? '/',
  build: { outDir: 'dist/docs' },
  preview: { host: '127.0.0.1', port: Number(process.env.PORT ?? 4173) },
});
server.printUrls();
