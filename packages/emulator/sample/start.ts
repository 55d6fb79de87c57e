/** Runs the sample app on this machine, as `npm start` of its repository would. */
import { join } from 'node:path';
import { runCommand } from '@gpu-endpoints/emulator/command';
import type { Product } from '@gpu-endpoints/emulator/product';

const folder = import.meta.dirname;

/** The whole description: an app whose templates say everything has only a name and a program. */
const notes: Product = {
  name: 'notes',
  folder,
  app: { folder, program: 'app.ts', sources: ['**/*.ts'], settings: ['cdk.json'], context: {} },
};

await runCommand(notes, join(folder, '../node_modules/.cache/compile'));
