import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { imageFiles } from '../../ecs/image-files.ts';
import { readImages } from '../../ecs/images.ts';

const root = mkdtempSync(join(tmpdir(), 'emulator-images-'));
const [product, app] = [join(root, 'product'), join(root, 'app')];
for (const folder of [product, app]) mkdirSync(folder);
afterAll(() => rmSync(root, { recursive: true }));

const described = {
  folder: product,
  app: { folder: app, program: 'app.ts', sources: [], settings: [], context: {} },
  images: { file: 'own.yaml', appFile: 'images.yaml', remedy: 'list it' },
};
const write = (folder: string, file: string, program: string, ...names: readonly string[]) =>
  writeFileSync(join(folder, file), names.map((name) => `${name}: { command: [${program}] }\n`).join(''));
const images = (options: { readonly images?: string } = {}) =>
  Object.fromEntries(
    [...readImages(imageFiles(described, options))].map(([name, { command, folder }]) => [name, [command[0], folder]]),
  );

describe('the images that can run', () => {
  it('are those of the product, of the app and of the user, and each command runs in the folder of its owner', () => {
    write(product, 'own.yaml', 'a', 'sidecar', 'one');
    expect(images()).toEqual({ sidecar: ['a', product], one: ['a', product] });
    write(app, 'images.yaml', 'b', 'one', 'two');
    expect(images()).toEqual({ sidecar: ['a', product], one: ['b', app], two: ['b', app] });
    write(root, 'more.yaml', 'c', 'two');
    expect(images({ images: join(root, 'more.yaml') })).toMatchObject({ one: ['b', app], two: ['c', app] });
  });
});
