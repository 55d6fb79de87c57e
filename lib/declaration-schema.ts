/** What the YAML file of an endpoint may say. Messages complete the sentence "`field` …". */
import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import * as z from 'zod/mini';
import { idleTimeoutLimits, policyLimits } from '../core/limits.ts';
import { milliseconds } from '../core/validation.ts';
import { doorVariables } from '../core/workers/protocol.ts';
import { FARGATE, refusalsOf } from './capacity/capacity.ts';
import type { Pool } from './capacity/pool-declaration.ts';
import { httpSchema } from './http-declaration.ts';
import { wholeNumber } from './whole-number.ts';

const MOST_WORKERS = 100;
const MOST_AT_ONCE = 100;
const MOST_GPUS = 8;
const LARGEST_DISK = 16_000;
const IMAGE = /^[a-z0-9][a-z0-9._-]*(?::\d+)?(?:\/[a-z0-9._-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Set by us, by Fargate or by the AWS SDK in the container. */
const OWNED_NAMES: ReadonlySet<string> = new Set(Object.keys(doorVariables('', 0)));
const OWNED_PREFIX = /^(?:AWS|ECS)_/;
const isOwned = (name: string) => OWNED_NAMES.has(name) || OWNED_PREFIX.test(name);

function oneOf<const Values extends readonly (string | number)[]>(values: Values) {
  return z.literal(values, `must be one of ${values.join(', ')}`);
}

/** A folder of the repository with a Dockerfile; nothing outside of it can be part of an image. */
function dockerfileFolder(root: string) {
  const must = 'must be a folder of this repository that has a Dockerfile';
  const isInside = (folder: string) => normalize(folder) === folder && !/^(?:\.|\/)/.test(folder);
  return z
    .string(must)
    .check(z.refine((folder) => isInside(folder) && existsSync(join(root, folder, 'Dockerfile')), must));
}

/** A rule about two fields says something only while each of them is right by itself. */
function ifRight(...fields: readonly string[]) {
  const isAbout = ({ code, path = [] }: z.core.$ZodRawIssue) =>
    path.length === 0 ? code === 'invalid_type' : fields.includes(String(path[0]));
  return { when: ({ issues }: z.core.ParsePayload) => !issues.some(isAbout) };
}

const imageMust = 'must be the name of a container image, such as `team/worker:1.2`';
const nameMust = 'must be a name of letters, digits and underscores that does not start with a digit';
const httpPortMust = 'must be left out: `http.port` says where the server listens';
const ownedMust = 'must be another name: this one is set for the container';

/**
 * @param root folder that `build` is relative to
 * @param pools what `capacity` may name besides Fargate
 */
export function declarationSchema(root: string, pools: readonly Pool[]) {
  return z
    .strictObject({
      /** Container image of the workers. */
      image: z.string(imageMust).check(z.regex(IMAGE, imageMust)),
      /** Folder of a Dockerfile: the image is built from it at deployment, and `image` is only its display name. */
      build: z.optional(dockerfileFolder(root)),
      /** Who calls whom: the container asks the agent for jobs, or it is an HTTP server, which the agent calls. */
      protocol: z._default(oneOf(['worker', 'http']), 'worker'),
      http: z.optional(httpSchema),
      /** Where the workers run: `cpu` for Fargate, or a pool, declared in `capacity/`. */
      capacity: z._default(oneOf([FARGATE, ...pools.map(({ id }) => id)]), FARGATE),
      minWorkers: z._default(wholeNumber(0, MOST_WORKERS), 0),
      maxWorkers: z._default(wholeNumber(1, MOST_WORKERS), 3),
      /** How many jobs a worker runs at once. */
      concurrency: z._default(wholeNumber(1, MOST_AT_ONCE), 1),
      /** How long a worker without a job is kept, in milliseconds. */
      idleTimeout: z._default(milliseconds(idleTimeoutLimits), idleTimeoutLimits.default),
      /** Longest run of a job that does not say otherwise, in milliseconds. */
      executionTimeout: z._default(milliseconds(policyLimits.executionTimeout), policyLimits.executionTimeout.default),
      /** Whether `/stream` answers as the original SDKs expect it: `{status, stream}`, each chunk once. */
      streamEnvelope: z._default(z.boolean('must be true or false'), false),
      /** CPU units of a worker; 1024 are one vCPU. What is left out of these five depends on the capacity. */
      cpu: z.optional(z.int('must be a whole number of CPU units')),
      /** Memory of a worker in MiB. */
      memory: z.optional(z.int('must be a whole number of MiB')),
      /** Whole GPUs of a worker. */
      gpus: z.optional(wholeNumber(1, MOST_GPUS)),
      /** Whether AWS may take the worker's machine back, after a warning of two minutes, for a lower price. */
      spot: z.optional(z.boolean('must be true or false')),
      /** Disk of a worker in GB, which is empty when it starts. */
      containerDiskInGb: z.optional(wholeNumber(1, LARGEST_DISK)),
      env: z._default(
        z.record(
          z.string().check(
            z.regex(ENV_NAME, nameMust),
            z.refine((name) => !isOwned(name), ownedMust),
          ),
          z.string('must be text; put it in quotes'),
          'must be a mapping of names to texts',
        ),
        {},
      ),
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
          const message = 'must be http where there is `http`';
          context.addIssue({ code: 'custom', path: ['protocol'], message, input: protocol });
        },
        ifRight('protocol', 'http'),
      ),
      z.superRefine(
        ({ protocol, env }, context) => {
          if (protocol !== 'http' || env.PORT === undefined) return;
          context.addIssue({ code: 'custom', path: ['env', 'PORT'], message: httpPortMust, input: env.PORT });
        },
        ifRight('protocol', 'env'),
      ),
      z.superRefine(
        ({ capacity, ...wish }, context) => {
          const pool = pools.find(({ id }) => id === capacity);
          for (const [field, message] of refusalsOf(wish, pool))
            context.addIssue({ code: 'custom', path: [field], message, input: wish[field] });
        },
        ifRight('capacity', 'cpu', 'memory', 'gpus', 'spot', 'containerDiskInGb'),
      ),
    );
}
