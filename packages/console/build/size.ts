/**
 * Prints the compressed size of the files that each page loads, and exits with 1 if a page exceeds its limit.
 *
 *     npm run size -w packages/console
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Built, LIST } from './files.ts';
import { bars, sizesOf, tooLarge } from './sizes.ts';

const folder = join(dirname(import.meta.dirname), 'dist/files');
execFileSync(process.execPath, [join(import.meta.dirname, 'main.ts')], { stdio: ['ignore', 'ignore', 'inherit'] });

const built = JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as Built;
const sizes = sizesOf(built, (file) => statSync(join(folder, file)).size);
const kb = (bytes: number) => (bytes / 1_000).toFixed(1).padStart(8);
console.log(`${'KB, Brotli 11'.padEnd(40)}  script   style     all`);
for (const { route, script, style } of sizes)
  console.log(`${route.padEnd(38)}${kb(script)}${kb(style)}${kb(script + style)}`);
const above = tooLarge(sizes).map(({ route }) => route);
console.log(`The limits are ${bars.shell} KB for the shell and ${bars.route} KB for each page.`);
if (above.length > 0) {
  console.error(`Above the limit: ${above.join(', ')}.`);
  process.exitCode = 1;
}
