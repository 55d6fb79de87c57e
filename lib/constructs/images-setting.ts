/** The setting `images`: the registry with the images of the agent and of the ingress, and their digests. */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { imageParts, parseImageName } from '../../core/templates/image-name.ts';
import { allowedBy, fieldTexts, NOT_ON_COMMAND_LINE, type Setting } from '../settings/field-text.ts';
import { InvalidSetting, parseSetting } from '../settings/settings.ts';

const SETTING = 'images';
/** The names of the repositories below the registry. */
const names = { agent: 'agent', ingress: 'ingress' } as const;

const registryMust = 'must be the address of a registry, such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com/platform';
const digestMust = 'must be the digest of the image, sha256: and 64 hexadecimal digits in lower case';
const imagesMust = 'must be a mapping with the keys registry, agent, ingress';

/** Whether the address names a host. Docker would take `team` for a path on Docker Hub. */
function isRegistry(address: string): boolean {
  const image = `${address}/${names.agent}`;
  return parseImageName(image) !== undefined && imageParts(image).registry !== undefined;
}

const digest = () =>
  z.string(digestMust).check(z.refine((text) => parseImageName(`${names.agent}@${text}`)?.digest === text, digestMust));

const schema = z.strictObject(
  {
    registry: z
      .string(registryMust)
      .check(z.refine(isRegistry, registryMust))
      .register(fieldTexts, {
        description: `Registry, with its path, whose repositories \`${names.agent}\` and \`${names.ingress}\` have the images.`,
        guide: 'images',
      }),
    agent: digest().register(fieldTexts, {
      description: "Digest of the image of the agent, which runs beside the user's container in each worker.",
      guide: 'images',
    }),
    ingress: z.optional(digest()).register(fieldTexts, {
      description: 'Digest of the image of the ingress.',
      without: 'no image of the ingress',
      condition: 'Required, unless `ingress` is `off`.',
      guide: 'images',
    }),
  },
  imagesMust,
);

/** The images with their digests. */
export interface Images {
  readonly agent: string;
  /** @throws InvalidSetting if the setting has no digest of it */
  ingress(): string;
}

/**
 * Reads the context `images`.
 * @returns undefined if the deployment builds both images
 * @throws InvalidSetting with all problems
 */
export function imagesOf(scope: IConstruct): Images | undefined {
  const value: unknown = scope.node.tryGetContext(SETTING);
  if (value === undefined || value === '') return undefined;
  const { registry, agent, ingress } = parseSetting(SETTING, schema, value);
  const pinned = (name: string, its: string) => `${registry}/${name}@${its}`;
  return {
    agent: pinned(names.agent, agent),
    ingress() {
      if (ingress !== undefined) return pinned(names.ingress, ingress);
      throw new InvalidSetting(
        `The context \`${SETTING}.ingress\` ${digestMust}, got nothing. Only a deployment with \`ingress: off\` needs no image of the ingress.`,
      );
    },
  };
}

export const imagesSetting: Setting = {
  read: imagesOf,
  text: {
    description: 'Images of the agent and of the ingress, so that the deployment does not build them.',
    type: 'mapping',
    without: 'the deployment builds the images',
    allowed: allowedBy(imagesMust),
    condition: NOT_ON_COMMAND_LINE,
    guide: 'images',
  },
  fields: [schema],
};
