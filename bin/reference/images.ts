/** The page of the list of images that replaces container images on a laptop. */
import type * as z from 'zod/mini';
import type { FieldText } from '../../lib/settings/field-text.ts';
import { imageSchema } from '../../packages/emulator/ecs/images.ts';
import type { Page } from './page.ts';
import { rowsOf } from './rows.ts';

const { command, environment, health, ports } = imageSchema.shape;

const texts = new Map<z.core.$ZodType, Omit<FieldText, 'guide'>>([
  [
    command,
    {
      description:
        "Program and arguments that replace the image; a template's `dockerEntrypoint` and `dockerStartCmd` replace them.",
      allowed:
        'a list of at least one string; `node` is the Node.js of `npm start`, paths are relative to the folder of the app, and `{address}` is a loopback address at which only the load balancer finds the ports',
    },
  ],
  [
    environment,
    {
      description: 'Variables that the image sets; variables of the task definition with the same name replace them.',
      without: 'no variables',
      allowed: 'a mapping of names to strings',
    },
  ],
  [
    health,
    {
      description: "Path of the health check, which replaces the container's own command.",
      without: 'no health check',
      allowed: 'a path such as `/health`',
      condition: 'Required if the container has a health check in its task definition.',
    },
  ],
  [
    ports,
    {
      description:
        'Variable that gets the port of this machine, by port of the container; the health check calls the lowest of these ports.',
      without: 'the health check calls the port of the agent',
      allowed: 'a mapping of port numbers to names of variables',
      condition: 'Required for ports that a load balancer calls.',
    },
  ],
]);

export const imagesPage = (): Page => ({
  title: 'List of images',
  introduction: [
    '`npm start` pulls no image. `images.yaml` lists the images of workers that can run on a laptop, by name, with the command that replaces each image. The variable `LOCAL_IMAGES` names another file in the same format; its images override those of the same name. A worker whose image is in neither file cannot start.',
    'Each key of the file is the name of an image, as in the field `image` of an endpoint or `imageName` of a template. Its value has the following fields. An unknown field or a wrong value stops `npm start`, with a message that names the file and the field.',
    '`npm run generate` writes this page from the schema in `packages/emulator/ecs/images.ts`.',
  ],
  examples: [
    { heading: 'Minimal example', file: 'images-minimal.yaml' },
    { heading: 'Complete example', file: 'images-complete.yaml' },
  ],
  rows: rowsOf(imageSchema, {
    textOf(schema) {
      const text = texts.get(schema);
      return text && { ...text, guide: 'laptop' };
    },
  }),
});
