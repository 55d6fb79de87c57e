/** Templates in the properties of CloudFormation: every scalar is a string, and empty properties are missing. */
import * as z from 'zod/mini';
import { CATEGORIES } from '../../core/endpoints/endpoint.ts';
import { number } from '../scalars.ts';

export const category = z.enum(CATEGORIES);

const strings = z._default(z.array(z.string()), []);

/** Properties of both kinds of declared templates: official ones, and those in the file of an endpoint. */
export const settings = {
  imageName: z.string(),
  containerDiskInGb: number,
  volumeInGb: number,
  volumeMountPath: z.string(),
  containerRegistryAuthId: z.optional(z.string()),
  dockerEntrypoint: strings,
  dockerStartCmd: strings,
  env: z._default(z.record(z.string(), z.string()), {}),
  ports: strings,
  readme: z._default(z.string(), ''),
};
