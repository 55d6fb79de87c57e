/** Removes what `once-for-all-tests.ts` has made. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { TABLES_FILE } from './storage-tables.ts';

export default function afterAllTests(): void {
  const file = process.env[TABLES_FILE];
  if (file) rmSync(dirname(file), { recursive: true, force: true });
}
