/** The names of the quotas, for a help that loads neither a parser nor a schema. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FILE = join(import.meta.dirname, 'quotas.yaml');

export const quotaNames = (): readonly string[] =>
  [...readFileSync(FILE, 'utf8').matchAll(/^(\w+):$/gm)].map(([, name = '']) => name);
