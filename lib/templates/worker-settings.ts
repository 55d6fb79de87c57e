/**
 * The fields of declared files about the container of workers: names and rules are those of the management interface.
 */
import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import * as z from 'zod/mini';
import type { CarriedSettings } from '../../core/templates/associate.ts';
import { envNameRefusal } from '../../core/templates/env-name.ts';
import { creationSchema } from '../../core/templates/field-rules.ts';
import { defaults } from '../../core/templates/settings.ts';
import { readEnvValue } from '../../core/templates/vault.ts';

/** A schema of folders of the repository with a Dockerfile. An image can contain nothing outside of the repository. */
function dockerfileFolder(root: string) {
  const must = 'must be a folder of this repository that has a Dockerfile';
  const isInside = (folder: string) => normalize(folder) === folder && !/^(?:\.|\/)/.test(folder);
  return z
    .string(must)
    .check(z.refine((folder) => isInside(folder) && existsSync(join(root, folder, 'Dockerfile')), must));
}

/** Adds a rule to a schema of texts. */
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
  return read.is === 'refused' ? `must refer to a secret, or to none: ${read.why}` : undefined;
}

const env = z.record(
  ruled(z.string(), envNameRefusal),
  ruled(z.string('must be text; put it in quotes'), valueRefusal),
  'must be a mapping of names to texts',
);

const { containerDiskInGb, volumeInGb, volumeMountPath, ports, readme } = creationSchema.shape;
const { imageName, dockerEntrypoint, dockerStartCmd, containerRegistryAuthId } = creationSchema.shape;

/** The schema of `image` in files of endpoints, which is that of `imageName` in files of templates. */
export const image = imageName;

/**
 * Returns the schemas of the fields.
 * @param root folder that `build` is relative to
 */
export const workerFields = (root: string) => ({
  /** Folder of a Dockerfile: the image is built from it at deployment, and the image's name is only displayed. */
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

/** The fields of the container without its image, which the two kinds of files name differently. */
export type WorkerFields = z.output<ReturnType<typeof workerSchema>>;
const workerSchema = (root: string) => z.object(workerFields(root));

/** Returns the template that a file carries, with the defaults of the management interface. */
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
