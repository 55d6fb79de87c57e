/** `npx node docs/.vitepress/check/main.ts`: checks the site that `npx vitepress build docs` has written. */
import { existsSync } from 'node:fs';
import { checkSite } from './site.ts';

const FOLDER = 'dist/docs';

if (!existsSync(FOLDER)) {
  console.log(`${FOLDER} does not exist: run npx vitepress build docs first.`);
  process.exitCode = 1;
} else {
  const { pages, links, anchors, failures } = checkSite(FOLDER, process.env.DOCS_BASE ?? '/');
  for (const failure of failures) console.log(failure);
  console.log(`${pages} pages, ${links} links, ${anchors} anchors, ${failures.length} failures`);
  process.exitCode = pages > 0 && failures.length === 0 ? 0 : 1;
}
