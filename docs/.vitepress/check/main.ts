/** `npm run docs:check`: checks the site that `npm run docs:build` has written. */
import { existsSync } from 'node:fs';
import { checkSite } from './site.ts';

const FOLDER = 'dist/docs';

if (!existsSync(FOLDER)) {
  console.log(`${FOLDER} does not exist: run npm run docs:build first.`);
  process.exitCode = 1;
} else {
  const { pages, links, anchors, failures } = checkSite(FOLDER, process.env.DOCS_BASE ?? '/');
  for (const failure of failures) console.log(failure);
  console.log(`${pages} pages, ${links} links, ${anchors} anchors, ${failures.length} failures`);
  process.exitCode = pages > 0 && failures.length === 0 ? 0 : 1;
}
