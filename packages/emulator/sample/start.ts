/** Runs the sample app on this machine, as `npm start` of its repository would. */
import { join } from 'node:path';
import { runCommand } from '../command.ts';
import type { Product } from '../product.ts';

const folder = import.meta.dirname;

/** The whole description: an app whose templates say everything has only a name and a program. */
const notes: Product = {
  name: 'notes',
  folder,
  app: { folder, program: 'app.ts', sources: ['**/*.ts'], settings: ['cdk.json'], context: {} },
};

await runCommand(notes, join(folder, '../../../node_modules/.cache/compile'));
