import { join } from 'node:path';
import type { Options } from '../options.ts';
import type { Product } from '../product.ts';

/** Returns the lists of images. The user's list comes last, because it overrides the list of the product. */
export const imageFiles = (
  { folder, images }: Pick<Product, 'folder' | 'images'>,
  options: Pick<Options, 'images'>,
): string[] => [
  ...(images ? [join(folder, images.file)] : []),
  ...(options.images === undefined ? [] : [options.images]),
];
