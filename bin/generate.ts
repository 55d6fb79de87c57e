/**
 * `npm run generate`: generates all files of this repository that follow from its code, in an order in which each
 * program reads what earlier ones have written. With `--check`, it writes nothing, and exits with 1 if a file differs.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const options = process.argv.slice(2);

for (const program of ['routes', 'props', 'openapi', 'console-types', 'reference', 'http-pages', 'commands-page']) {
  const file = join(import.meta.dirname, `${program}.ts`);
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
  if (status === 0) continue;
  process.exitCode = status ?? 1;
  break;
}
