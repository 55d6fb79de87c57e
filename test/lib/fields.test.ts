/** Tests that the props of endpoints and pools in TypeScript are the fields of their files. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { propsFiles } from '../../bin/pages/props.ts';

it.each(Object.entries(propsFiles))('%s is what `npm run generate` writes from the schema', async (file, generate) => {
  expect(readFileSync(file, 'utf8')).toBe(await generate());
});
