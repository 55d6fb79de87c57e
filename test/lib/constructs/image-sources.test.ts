/** Tests that `npm start` synthesizes again if a file of an image has changed. */
import { existsSync, statSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { gpuEndpoints } from '../../../bin/start/description.ts';
import { staged, synthesizeWith } from '../synthesis.ts';

const { sources, settings } = gpuEndpoints.app;
const isFolder = (name: string) => existsSync(name) && statSync(name).isDirectory();
const matches = (path: string) => sources.some((pattern) => matchesGlob(path, pattern));
const isSource = (name: string) =>
  isFolder(name) ? matches(`${name}/file`) : settings.includes(name) || matches(name);

describe('the images of a deployment', () => {
  const images = Object.values(synthesizeWith(staged)).flatMap((stack) => Object.entries(stack.images));

  it.each(images)('consist only of files that cause a new synthesis: %s', (_, files) => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !isSource(file))).toEqual([]);
  });

  it('include the image of the ingress', () => {
    expect(images.some(([, files]) => files.includes('ingress'))).toBe(true);
  });
});
