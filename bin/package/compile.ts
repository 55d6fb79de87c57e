/** Compiles the programs and constructs of the package: Node.js strips no types in `node_modules`. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageFolder } from '../../lib/settings/package-files.ts';

/** @param folder folder of the package, which gets JavaScript and declarations in the folders of the sources */
export function compile(folder: string): void {
  execFileSync(
    join(packageFolder, 'node_modules/.bin/tsc'),
    ['--project', join(import.meta.dirname, 'tsconfig.json'), '--outDir', folder],
    { cwd: packageFolder, stdio: 'inherit' },
  );
}
