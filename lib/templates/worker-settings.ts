/** The fields of declared files for the container of workers. Names and rules are those of the management interface. */
import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import * as z from 'zod/mini';
import type { CarriedSettings } from '../../core/templates/associate.ts';
import { envNameRefusal } from '../../core/templates/env-name.ts';
import { creationSchema } from '../../core/templates/field-rules.ts';
import { defaults } from '../../core/templates/settings.ts';
import { readEnvValue } from '../../core/templates/vault.ts';

/** Schema of a folder of this repository with a Dockerfile. An image cannot contain files outside of the repository. */
function dockerfileFolder(root: string) {
  const must = 'must be a folder of this repository that has a Dockerfile';
  const isInside = (folder: string) => normalize(folder) === folder && !/^(?:\.|\/)/.test(folder);
  return z
    .string(must)
    .check(z.refine((folder) => isInside(folder) && existsSync(join(root, folder, 'Dockerfile')), must));
}

/** Adds a rule to a schema of strings. */
function ruled(text: z.ZodMiniString, refusalOf: (value: string) => string | undefined) {
  return text.check(
    z.superRefine((value, context) => {
      const message = refusalOf(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message, input: value });
    }),
  );
}

function valueRefusal(value: string): string | undefined {
  const read = readEnvValue(value);
  return read.is === 'refused' ? `must refer to a valid secret or to no secret: ${read.why}` : undefined;
}

const env = z.record(
  ruled(z.string(), envNameRefusal),
  ruled(z.string('must be a string; put it in quotes'), valueRefusal),
  'must be a mapping of names to strings',
);

const { containerDiskInGb, volumeInGb, volumeMountPath, ports, readme } = creationSchema.shape;
const { imageName, dockerEntrypoint, dockerStartCmd, containerRegistryAuthId } = creationSchema.shape;

/** Schema of `image` in files of endpoints, which is also the schema of `imageName` in files of templates. */
export const image = imageName;

/**
 * Returns the schemas of the fields.
 * @param root folder to which `build` is relative
 */
export const workerFields = (root: string) => ({
  /** Folder of a Dockerfile. The deployment builds the image from it, and only displays the image's name. */
  build: z.optional(dockerfileFolder(root)),
  env: z.optional(env),
  containerDiskInGb,
  volumeInGb,
  volumeMountPath,
  dockerEntrypoint,
  dockerStartCmd,
  ports,
  containerRegistryAuthId,
  readme,
});

/** The fields of the container without its image, whose field name depends on the kind of file. */
export type WorkerFields = z.output<ReturnType<typeof workerSchema>>;
const workerSchema = (root: string) => z.object(workerFields(root));

/** Returns the template that a file contains, with the defaults of the management interface. */
export function carriedSettings(fields: WorkerFields, itsImage: string): CarriedSettings {
  return {
    imageName: itsImage,
    containerDiskInGb: fields.containerDiskInGb ?? defaults.containerDiskInGb,
    volumeInGb: fields.volumeInGb ?? defaults.volumeInGb,
    volumeMountPath: fields.volumeMountPath ?? defaults.volumeMountPath,
    ...(fields.containerRegistryAuthId && { containerRegistryAuthId: fields.containerRegistryAuthId }),
    dockerEntrypoint: fields.dockerEntrypoint ?? defaults.dockerEntrypoint,
    dockerStartCmd: fields.dockerStartCmd ?? defaults.dockerStartCmd,
    env: fields.env ?? defaults.env,
    ports: fields.ports ?? defaults.ports,
    readme: fields.readme ?? defaults.readme,
  };
}
