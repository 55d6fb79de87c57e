import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../options.ts';
import type { Product } from '../product.ts';

/** A file that lists images. */
export interface ImageFile {
  readonly path: string;
  /** Folder in which the commands of its images run. */
  readonly folder: string;
}

/**
 * Returns the lists of images: that of the product, that of the app if it has one, and the one that the user names. An
 * image overrides those of the same name in earlier lists.
 */
export function imageFiles(
  { folder, app, images }: Pick<Product, 'folder' | 'app' | 'images'>,
  options: Pick<Options, 'images'>,
): ImageFile[] {
  const ofApp = images?.appFile && join(app.folder, images.appFile);
  return [
    ...(images ? [{ path: join(folder, images.file), folder }] : []),
    ...(ofApp && existsSync(ofApp) ? [{ path: ofApp, folder: app.folder }] : []),
    ...(options.images === undefined ? [] : [{ path: options.images, folder: app.folder }]),
  ];
}
