/** The field `http` of an endpoint's file: its HTTP server. Messages complete the sentence "`http.field` …". */
import * as z from 'zod/mini';
import { startTimeoutLimits } from '../../core/limits.ts';
import { milliseconds } from '../../core/requests/validation.ts';
import { AGENT_PORT } from '../../core/workers/protocol.ts';
import type { ServerSettings } from '../../core/workers/server-settings.ts';
import { fieldTexts } from '../settings/field-text.ts';

const PATH = /^\/[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/;
const MAX_PORT = 65_535;

const pathMust = 'must be a path that starts with a slash, such as `/predict`';
const portMust = `must be a whole number from 1 to ${MAX_PORT}`;

const path = (otherwise: string) => z._default(z.string(pathMust).check(z.regex(PATH, pathMust)), otherwise);

export const httpSchema = z.strictObject(
  {
    port: z._default(z.int(portMust).check(z.gte(1, portMust), z.lte(MAX_PORT, portMust)), 8000).register(fieldTexts, {
      description: 'Port on which the server listens; the container gets it as the variable `PORT`.',
      condition: `Not ${AGENT_PORT}, which is the port of the agent.`,
      guide: 'httpWorker',
    }),
    path: path('/').register(fieldTexts, {
      description: 'Path to which the agent posts the inputs of jobs.',
      guide: 'httpWorker',
    }),
    healthPath: path('/health').register(fieldTexts, {
      description: 'Path that returns 200 while the server can accept jobs.',
      guide: 'httpWorker',
    }),
    startTimeout: z._default(milliseconds(startTimeoutLimits), startTimeoutLimits.default).register(fieldTexts, {
      description: "Maximum time from the container's start until the first 200 of `http.healthPath`.",
      unit: 'ms',
      guide: 'httpWorker',
    }),
  },
  'must be a mapping with the keys port, path, healthPath, startTimeout',
);

/** Returns the settings of the server, or undefined for an endpoint without one. */
export const serverOf = ({
  protocol,
  http = {},
}: {
  readonly protocol: 'worker' | 'http';
  readonly http?: z.input<typeof httpSchema> | undefined;
}): ServerSettings | undefined => (protocol === 'http' ? z.parse(httpSchema, http) : undefined);
