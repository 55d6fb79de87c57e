/** Removes what `once-for-all-tests.ts` has made. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SHARED_FOLDER } from './acceptance/assembly.ts';
import { TABLES_FILE } from './storage-tables.ts';

export default function afterAllTests(): void {
  const { [TABLES_FILE]: file, [SHARED_FOLDER]: shared } = process.env;
  for (const folder of [file && dirname(file), shared]) if (folder) rmSync(folder, { recursive: true, force: true });
}
