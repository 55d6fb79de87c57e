/** The page of the list of images that replaces container images on a laptop. */
import { imageSchema, imageTexts } from '../../local/ecs/images.ts';
import type { Page } from './page.ts';
import { rowsOf } from './rows.ts';

export const imagesPage = (): Page => ({
  title: 'List of images',
  introduction: [
    '`npm start` pulls no image. `local/images.yaml` lists the images that can run on a laptop, by name, with the command that replaces each image. The variable `LOCAL_IMAGES` names another file in the same format; its images override those of the same name. A worker whose image is in neither file cannot start.',
    'Each key of the file is the name of an image, as in the field `image` of an endpoint or `imageName` of a template. Its value has the following fields. An unknown field or a wrong value stops `npm start`, with a message that names the file and the field.',
    '`npm run reference` writes this page from the schema in `local/ecs/images.ts`.',
  ],
  examples: [
    { heading: 'Minimal example', file: 'images-minimal.yaml' },
    { heading: 'Complete example', file: 'images-complete.yaml' },
  ],
  rows: rowsOf(imageSchema, {
    textOf(schema) {
      const text = imageTexts.get(schema);
      return text && { ...text, guide: 'laptop' };
    },
  }),
});
