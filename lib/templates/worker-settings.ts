/** The fields of declared files for the container of workers. Names and rules are those of the management interface. */
import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import * as z from 'zod/mini';
import type { CarriedSettings } from '../../core/templates/associate.ts';
import { envNameRefusal } from '../../core/templates/env-name.ts';
import { creationSchema } from '../../core/templates/field-rules.ts';
import { defaults } from '../../core/templates/settings.ts';
import { readEnvValue } from '../../core/templates/vault.ts';
import { AGENT_PORT } from '../../core/workers/protocol.ts';
import { MAX_DISK_IN_GB } from '../capacity/cpu.ts';
import { type FieldText, fieldTexts } from '../settings/field-text.ts';

/**
 * Schema of a folder with a Dockerfile, relative to the folder of the app, in which a synthesis runs. An image cannot
 * contain files outside of it.
 */
const dockerfileMust = 'must be a folder of this repository that has a Dockerfile';
const isInside = (folder: string) => normalize(folder) === folder && !/^(?:\.|\/)/.test(folder);
const dockerfileFolder = z
  .string(dockerfileMust)
  .check(z.refine((folder) => isInside(folder) && existsSync(join(folder, 'Dockerfile')), dockerfileMust));

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
  return read.is === 'refused' ? `must refer to a valid secret or to no secret: ${read.reason}` : undefined;
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

/** A default of the management interface, and what the field does. */
const withDefault = (field: keyof typeof defaults, text: FieldText): FieldText => ({
  ...text,
  default: defaults[field],
});

const texts = {
  env: withDefault('env', {
    description: "Environment variables of the workers' container; `{{secrets:NAME}}` is the value of a secret.",
    condition: `Each name ${envNameRefusal('')}. Variables that the service sets, and variables that load code into programs, are refused.`,
    guide: 'secrets',
  }),
  containerDiskInGb: withDefault('containerDiskInGb', {
    description: "Disk of a worker's container, which is empty at the start and deleted with the worker.",
    unit: 'GB',
    condition: `At most ${MAX_DISK_IN_GB} on Fargate. On a pool, at most the worker's share of the pool's \`diskInGb\`.`,
    guide: 'capacitySize',
  }),
  volumeInGb: withDefault('volumeInGb', {
    description: 'Volume for files that outlive workers; 0 for no volume.',
    unit: 'GB',
    guide: 'volumes',
  }),
  volumeMountPath: withDefault('volumeMountPath', {
    description: 'Path of the volume in the container.',
    condition: 'Folders that the container needs, such as `/usr`, are refused.',
    guide: 'volumesPaths',
  }),
  dockerEntrypoint: withDefault('dockerEntrypoint', {
    description: "Replaces the image's `ENTRYPOINT`; the empty list keeps it.",
    guide: 'templatesTask',
  }),
  dockerStartCmd: withDefault('dockerStartCmd', {
    description: "Replaces the image's `CMD`; the empty list keeps it.",
    guide: 'templatesTask',
  }),
  ports: withDefault('ports', {
    description: 'Ports on which the container listens, such as `8080/http`.',
    condition: `Each port once, with the protocol http or tcp. Not ${AGENT_PORT}, which is the port of the agent.`,
    guide: 'templatesTask',
  }),
  readme: withDefault('readme', {
    description: 'Description of the template in Markdown, which the console shows.',
    guide: 'templates',
  }),
} as const satisfies Readonly<Record<string, FieldText>>;

/** The schemas of the fields. */
export const workerFields = {
  build: z.optional(dockerfileFolder).register(fieldTexts, {
    description: 'Folder with the Dockerfile from which the deployment builds the image.',
    without: 'the image is pulled from its registry',
    guide: 'workers',
  }),
  env: z.optional(env).register(fieldTexts, texts.env),
  containerDiskInGb: containerDiskInGb.register(fieldTexts, texts.containerDiskInGb),
  volumeInGb: volumeInGb.register(fieldTexts, texts.volumeInGb),
  volumeMountPath: volumeMountPath.register(fieldTexts, texts.volumeMountPath),
  dockerEntrypoint: dockerEntrypoint.register(fieldTexts, texts.dockerEntrypoint),
  dockerStartCmd: dockerStartCmd.register(fieldTexts, texts.dockerStartCmd),
  ports: ports.register(fieldTexts, texts.ports),
  containerRegistryAuthId: containerRegistryAuthId.register(fieldTexts, {
    description: 'Registry login of `npx gpu-endpoints registry`, with which ECS pulls the image.',
    without: 'no login',
    guide: 'secrets',
  }),
  readme: readme.register(fieldTexts, texts.readme),
} as const;

/** The fields of the container without its image, whose field name depends on the kind of file. */
export type WorkerFields = z.output<typeof workerSchema>;
const workerSchema = z.object(workerFields);

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
