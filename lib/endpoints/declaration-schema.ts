/** The schema of the YAML file of an endpoint. Messages complete the sentence "`field` …". */
import * as z from 'zod/mini';
import { MAX_WORKERS } from '../../core/endpoints/endpoint.ts';
import { budgetSchema } from '../../core/endpoints/spending.ts';
import { idleTimeoutLimits, MAX_CONCURRENCY, policyLimits } from '../../core/limits.ts';
import { milliseconds } from '../../core/requests/validation.ts';
import { portRefusals } from '../../core/templates/capacity-rules.ts';
import { mountPath } from '../../core/templates/mount-path.ts';
import { defaults } from '../../core/templates/settings.ts';
import { PLATFORM } from '../../core/users/owner.ts';
import { AGENT_PORT } from '../../core/workers/protocol.ts';
import { FARGATE, refusalsOf } from '../capacity/kinds.ts';
import type { Pool } from '../capacity/pool-declaration.ts';
import { sizeTexts } from '../capacity/size-texts.ts';
import { fieldTexts } from '../settings/field-text.ts';
import { wholeNumber } from '../settings/settings.ts';
import { image, workerFields } from '../templates/worker-settings.ts';
import { alarmsSchema } from './alarm-settings.ts';
import { examplesCondition, examplesDeclaration } from './examples.ts';
import { httpSchema } from './http.ts';

const MAX_GPUS = 8;
const LAST_VERSION = 1_000_000;

function oneOf<const Values extends readonly (string | number)[]>(values: Values) {
  return z.literal(values, `must be one of ${values.join(', ')}`);
}

/** Applies a rule about several fields only if each of these fields is valid. */
function ifRight(...fields: readonly string[]) {
  const isAbout = ({ code, path = [] }: z.core.$ZodRawIssue) =>
    path.length === 0 ? code === 'invalid_type' : fields.includes(String(path[0]));
  return { when: ({ issues }: z.core.ParsePayload) => !issues.some(isAbout) };
}

const templateMust = 'must be the id or the name of a template';
const ownerMust = 'must be the name of an owner';
const httpPortMust = 'must be omitted: `http.port` sets the port of the server';
const agentPortMust = `must not be ${AGENT_PORT}, which is the port of the agent`;

/** A field and a message, which completes the sentence "`field` …". */
type Problem = readonly [field: string, message: string];

/** Finds problems of the template: a file either names a template, or contains the fields of one. */
function* formProblems(fields: readonly string[], said: Readonly<Record<string, unknown>>): Generator<Problem> {
  if (said.template === undefined) {
    if (said.pinTemplate !== undefined)
      yield ['pinTemplate', 'must be omitted without `template`, because the file itself contains the template'];
    if (said.image === undefined) yield ['image', 'must be set, or `template` must name a template'];
    return;
  }
  for (const field of fields)
    if (said[field] !== undefined) yield [field, 'must be omitted with `template`, which sets it'];
}

/** @param pools pools that `capacity` can name */
export function declarationSchema(pools: readonly Pool[]) {
  const carriedNames = ['image', ...Object.keys(workerFields)];
  return z
    .strictObject({
      deploy: z._default(z.boolean('must be true or false'), true).register(fieldTexts, {
        description: 'Whether the endpoint is deployed; an environment can override this, as any field.',
        guide: 'environmentsOverrides',
      }),
      owner: z.optional(z.string(ownerMust).check(z.minLength(1, ownerMust))).register(fieldTexts, {
        description:
          'Owner whose private templates the endpoint can use; the template that the file contains belongs to this owner.',
        default: PLATFORM,
        guide: 'templatesOfEndpoints',
      }),
      template: z.optional(z.string(templateMust).check(z.minLength(1, templateMust))).register(fieldTexts, {
        description: 'Template that the workers run.',
        without: 'the fields from `image` to `readme` are the template',
        condition: `With \`template\`, the file cannot have ${carriedNames.map((name) => `\`${name}\``).join(', ')}.`,
        guide: 'templatesOfEndpoints',
      }),
      pinTemplate: z.optional(wholeNumber(1, LAST_VERSION)).register(fieldTexts, {
        description: 'Version of the named template that the workers run.',
        without: 'the newest version',
        condition:
          'Only with `template`. The template must have this version at the deployment, or the endpoint must already pin it.',
        guide: 'templatesPinned',
      }),
      image: z.optional(image).register(fieldTexts, {
        description: 'Container image of the workers; with `build`, the name under which the built image is displayed.',
        without: 'required, unless `template` is set',
        guide: 'workers',
      }),
      ...workerFields,
      protocol: z._default(oneOf(['worker', 'http']), 'worker').register(fieldTexts, {
        description:
          'How the container gets jobs: with `worker` it requests them from the agent, with `http` it is a server that the agent calls.',
        guide: 'httpWorker',
      }),
      http: z.optional(httpSchema).register(fieldTexts, {
        description: "Settings of the container's HTTP server.",
        without: 'the defaults of its fields',
        condition: 'Only with `protocol: http`.',
        guide: 'httpWorker',
      }),
      capacity: z._default(oneOf([FARGATE, ...pools.map(({ id }) => id)]), FARGATE).register(fieldTexts, {
        description: 'Machines on which the workers run: Fargate or the instances of a pool.',
        allowed: `\`${FARGATE}\` for Fargate, or the name of a file in \`capacity/\``,
        guide: 'capacity',
      }),
      minWorkers: z._default(wholeNumber(0, MAX_WORKERS), 0).register(fieldTexts, {
        description: 'Number of workers that run even without jobs.',
        condition: 'At most `maxWorkers`.',
        guide: 'capacityWarm',
      }),
      maxWorkers: z._default(wholeNumber(1, MAX_WORKERS), 3).register(fieldTexts, {
        description: 'Maximum number of workers that run at the same time.',
        condition: 'At least `minWorkers`.',
        guide: 'scaling',
      }),
      concurrency: z.optional(wholeNumber(1, MAX_CONCURRENCY)).register(fieldTexts, {
        description: 'Maximum number of jobs that a worker runs at the same time.',
        without: 'a Python worker decides; a Node worker or an HTTP server runs 1',
        guide: 'concurrency',
      }),
      idleTimeout: z._default(milliseconds(idleTimeoutLimits), idleTimeoutLimits.default).register(fieldTexts, {
        description: 'Time for which a worker without a job continues to run.',
        unit: 'ms',
        guide: 'scaling',
      }),
      executionTimeout: z
        ._default(milliseconds(policyLimits.executionTimeout), policyLimits.executionTimeout.default)
        .register(fieldTexts, {
          description: 'Maximum run time of a job whose `policy` has no `executionTimeout`.',
          unit: 'ms',
          guide: 'contract',
        }),
      maxDollarsPerDay: z.optional(budgetSchema).register(fieldTexts, {
        description: 'Cost of workers in a day (UTC), in US dollars, from which no worker starts and none takes a job.',
        without: 'no budget',
        condition: 'Not with `spot` and other capacity whose price is unknown, and not with `historyDays: 0`.',
        guide: 'budgets',
      }),
      streamEnvelope: z._default(z.boolean('must be true or false'), false).register(fieldTexts, {
        description:
          "With `true`, `/stream` answers all clients as RunPod's SDKs expect: `{status, stream}`, with each chunk sent once.",
        guide: 'streamEnvelope',
      }),
      alarms: z.optional(alarmsSchema).register(fieldTexts, {
        description: 'Thresholds of the alarms of the endpoint.',
        without: 'those of the setting `endpointAlarms`',
        guide: 'monitor',
      }),
      examples: z.optional(examplesDeclaration).register(fieldTexts, {
        description: "Inputs by name, which the console's playground offers.",
        without: 'none',
        condition: examplesCondition,
        guide: 'console',
      }),
      volumeAlsoAt: z.optional(mountPath).register(fieldTexts, {
        description: 'Second path of the volume in the container, for images that expect the volume there.',
        without: "only the template's `volumeMountPath`",
        condition: 'Not with `volumeInGb: 0`. Folders that the container needs, such as `/usr`, are refused.',
        guide: 'volumesAlsoAt',
      }),
      cpu: z.optional(z.int('must be a whole number of CPU units')).register(fieldTexts, sizeTexts.cpu),
      memory: z.optional(z.int('must be a whole number of MiB')).register(fieldTexts, sizeTexts.memory),
      gpus: z.optional(wholeNumber(1, MAX_GPUS)).register(fieldTexts, sizeTexts.gpus),
      sharedMemorySize: z
        .optional(z.int('must be a whole number of MiB'))
        .register(fieldTexts, sizeTexts.sharedMemorySize),
      spot: z.optional(z.boolean('must be true or false')).register(fieldTexts, sizeTexts.spot),
    })
    .check(
      z.superRefine(
        ({ minWorkers, maxWorkers }, context) => {
          if (minWorkers <= maxWorkers) return;
          const message = `must be at least \`minWorkers\`, which is ${minWorkers}`;
          context.addIssue({ code: 'custom', path: ['maxWorkers'], message, input: maxWorkers });
        },
        ifRight('minWorkers', 'maxWorkers'),
      ),
      z.superRefine(
        ({ protocol, http }, context) => {
          if (protocol === 'http' || http === undefined) return;
          const message = 'must be http with `http`';
          context.addIssue({ code: 'custom', path: ['protocol'], message, input: protocol });
        },
        ifRight('protocol', 'http'),
      ),
      z.superRefine(
        (said, context) => {
          for (const [field, message] of formProblems(carriedNames, said))
            context.addIssue({ code: 'custom', path: [field], message, input: Reflect.get(said, field) });
        },
        ifRight('template', 'pinTemplate', ...carriedNames),
      ),
      z.superRefine(
        ({ protocol, env = {}, http }, context) => {
          if (protocol !== 'http') return;
          if (env.PORT !== undefined)
            context.addIssue({ code: 'custom', path: ['env', 'PORT'], message: httpPortMust, input: env.PORT });
          if (http?.port === AGENT_PORT)
            context.addIssue({ code: 'custom', path: ['http', 'port'], message: agentPortMust, input: http.port });
        },
        ifRight('protocol', 'http', 'env'),
      ),
      z.superRefine(({ ports = [] }, context) => {
        for (const [field, message] of portRefusals(ports))
          context.addIssue({ code: 'custom', path: [field], message, input: ports });
      }, ifRight('ports')),
      z.superRefine(
        ({ volumeAlsoAt, volumeInGb }, context) => {
          if (volumeAlsoAt === undefined || volumeInGb !== 0) return;
          const message = 'must be omitted with `volumeInGb: 0`, because there is no volume';
          context.addIssue({ code: 'custom', path: ['volumeAlsoAt'], message, input: volumeAlsoAt });
        },
        ifRight('volumeAlsoAt', 'volumeInGb'),
      ),
      z.superRefine(
        ({ capacity, template, containerDiskInGb, ...request }, context) => {
          const pool = pools.find(({ id }) => id === capacity);
          // The disk of a named template is checked when the template is read.
          const disk = template === undefined ? (containerDiskInGb ?? defaults.containerDiskInGb) : undefined;
          const sizes = { ...request, containerDiskInGb: disk };
          for (const [field, message] of refusalsOf(sizes, pool))
            context.addIssue({ code: 'custom', path: [field], message, input: sizes[field] });
        },
        ifRight('capacity', 'cpu', 'memory', 'gpus', 'sharedMemorySize', 'spot', 'template', 'containerDiskInGb'),
      ),
    );
}
