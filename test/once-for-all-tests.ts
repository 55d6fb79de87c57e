/** What jest does once, before all test files: each of them would take seconds for it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { SHARED_FOLDER } from './acceptance/assembly.ts';
import { synthesizeTables, TABLES_FILE } from './storage-tables.ts';

export default async function onceForAllTests(): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'gpu-endpoints-tables-')), 'tables.json');
  writeFileSync(file, JSON.stringify(await synthesizeTables()));
  process.env[TABLES_FILE] = file;
  process.env[SHARED_FOLDER] = mkdtempSync(join(tmpdir(), 'gpu-endpoints-assembly-'));
  // CDK's validation of templates takes two thirds of a synthesis; `npm run synth` has it, for the stacks that are real.
  process.env.CDK_VALIDATION = 'false';
  // Each service that a test starts compiles the same modules: a fifth of what its start takes.
  process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');
}
