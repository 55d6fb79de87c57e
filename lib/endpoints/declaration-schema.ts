/** The schema of the YAML file of an endpoint. Messages complete the sentence "`field` …". */
import * as z from 'zod/mini';
import { idleTimeoutLimits, MOST_AT_ONCE, policyLimits } from '../../core/limits.ts';
import { portRefusals } from '../../core/templates/capacity-rules.ts';
import { mountPath } from '../../core/templates/mount-path.ts';
import { defaults } from '../../core/templates/settings.ts';
import { milliseconds } from '../../core/validation.ts';
import { AGENT_PORT } from '../../core/workers/protocol.ts';
import { FARGATE, refusalsOf } from '../capacity/kinds.ts';
import type { Pool } from '../capacity/pool-declaration.ts';
import { wholeNumber } from '../settings/settings.ts';
import { image, workerFields } from '../templates/worker-settings.ts';
import { examplesDeclaration } from './examples.ts';
import { httpSchema } from './http.ts';

const MOST_WORKERS = 100;
const MOST_GPUS = 8;
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

/**
 * @param root folder to which `build` is relative
 * @param pools pools that `capacity` can name
 */
export function declarationSchema(root: string, pools: readonly Pool[]) {
  const carried = workerFields(root);
  const carriedNames = ['image', ...Object.keys(carried)];
  return z
    .strictObject({
      /**
       * The owner whose private templates the endpoint may use, in addition to public ones. Also the owner of the
       * template that the file contains.
       */
      owner: z.optional(z.string(ownerMust).check(z.minLength(1, ownerMust))),
      /** The template of the workers. If omitted, the fields from `image` to `readme` are the template. */
      template: z.optional(z.string(templateMust).check(z.minLength(1, templateMust))),
      /**
       * The version of the named template that the workers run.
       * @default - the newest version
       */
      pinTemplate: z.optional(wholeNumber(1, LAST_VERSION)),
      /** Container image of the workers. */
      image: z.optional(image),
      ...carried,
      /**
       * `worker`: the container requests jobs from the agent. `http`: the container is an HTTP server, which the
       * agent calls.
       */
      protocol: z._default(oneOf(['worker', 'http']), 'worker'),
      http: z.optional(httpSchema),
      /** Where the workers run: `cpu` for Fargate, or a pool, declared in `capacity/`. */
      capacity: z._default(oneOf([FARGATE, ...pools.map(({ id }) => id)]), FARGATE),
      minWorkers: z._default(wholeNumber(0, MOST_WORKERS), 0),
      maxWorkers: z._default(wholeNumber(1, MOST_WORKERS), 3),
      /**
       * Maximum number of concurrent jobs of a worker.
       * @default - chosen by each worker; 1 with `protocol: http` and for Node workers
       */
      concurrency: z.optional(wholeNumber(1, MOST_AT_ONCE)),
      /** How long a worker without a job keeps running, in milliseconds. */
      idleTimeout: z._default(milliseconds(idleTimeoutLimits), idleTimeoutLimits.default),
      /** Maximum run time of a job without an `executionTimeout`, in milliseconds. */
      executionTimeout: z._default(milliseconds(policyLimits.executionTimeout), policyLimits.executionTimeout.default),
      /** Whether `/stream` answers as RunPod's SDKs expect: `{status, stream}`, with each chunk sent once. */
      streamEnvelope: z._default(z.boolean('must be true or false'), false),
      /**
       * Inputs that the console's playground offers, by name.
       * @default - none
       */
      examples: z.optional(examplesDeclaration),
      /**
       * Second path of the volume in the container, for images that expect the volume there.
       * @default - only the template's path
       */
      volumeAlsoAt: z.optional(mountPath),
      /**
       * CPU units of a worker; 1024 are one vCPU. The defaults of `cpu`, `memory`, `gpus` and `spot` depend on the
       * capacity.
       */
      cpu: z.optional(z.int('must be a whole number of CPU units')),
      /** Memory of a worker in MiB. */
      memory: z.optional(z.int('must be a whole number of MiB')),
      /** Whole GPUs of a worker. */
      gpus: z.optional(wholeNumber(1, MOST_GPUS)),
      /** Whether workers run on Spot capacity, which costs less and can be reclaimed after a warning of two minutes. */
      spot: z.optional(z.boolean('must be true or false')),
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
        ifRight('capacity', 'cpu', 'memory', 'gpus', 'spot', 'template', 'containerDiskInGb'),
      ),
    );
}
