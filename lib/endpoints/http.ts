/** The field `http` of an endpoint's file: its HTTP server. Messages complete the sentence "`http.field` …". */
import * as z from 'zod/mini';
import { startTimeoutLimits } from '../../core/limits.ts';
import { milliseconds } from '../../core/validation.ts';
import type { ServerSettings } from '../../core/workers/server.ts';

const PATH = /^\/[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/;
const LARGEST_PORT = 65_535;

const pathMust = 'must be a path that starts with a slash, such as `/predict`';
const portMust = `must be a whole number from 1 to ${LARGEST_PORT}`;

const path = (otherwise: string) => z._default(z.string(pathMust).check(z.regex(PATH, pathMust)), otherwise);

export const httpSchema = z.strictObject(
  {
    /** Port on which the container listens, set as its variable `PORT`. */
    port: z._default(z.int(portMust).check(z.gte(1, portMust), z.lte(LARGEST_PORT, portMust)), 8000),
    /** Path to which inputs are posted. */
    path: path('/'),
    /** Path that returns 200 while the server can accept jobs. */
    healthPath: path('/health'),
    /** Maximum time from the start until the first 200, in milliseconds. */
    startTimeout: z._default(milliseconds(startTimeoutLimits), startTimeoutLimits.default),
  },
  'must be a mapping with the keys port, path, healthPath, startTimeout',
);

/** Returns the settings of the server, or undefined for an endpoint without one. */
export const serverOf = ({
  protocol,
  http = {},
}: {
  readonly protocol: 'worker' | 'http';
  readonly http?: z.input<typeof httpSchema>;
}): ServerSettings | undefined => (protocol === 'http' ? z.parse(httpSchema, http) : undefined);
