/** The environment variables that a template can set in the user's container. */
import { agentVariables } from '../workers/protocol.ts';

const FORM = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const maxEnvNameLength = 255;

/** Variables that the service or ECS sets, or that configure the AWS SDK in the container. */
const RESERVED: ReadonlySet<string> = new Set(Object.keys(agentVariables('', 0)));
const OF_AWS = /^(?:AWS|ECS)_/;
/**
 * Variables that load code into every program that starts. `PATH` is allowed, because it only replaces the image's
 * own.
 */
const LOADERS: ReadonlySet<string> = new Set(['LD_PRELOAD', 'LD_AUDIT', 'NODE_OPTIONS']);
/** A property that every JavaScript object has. */
const PROTOTYPE = '__proto__';

/** Pattern of the names that `envNameRefusal` allows, without their length. */
export const envNamePattern = `^(?!(?:AWS|ECS)_)(?!(?:${[...RESERVED, ...LOADERS, PROTOTYPE].join('|')})$)[A-Za-z_][A-Za-z0-9_]*$`;

/**
 * Checks the name of a variable.
 * @returns the end of the sentence "the name …", or undefined if the variable can be set
 */
export function envNameRefusal(name: string): string | undefined {
  if (!FORM.test(name) || name.length > maxEnvNameLength || name === PROTOTYPE)
    return `must be a name of at most ${maxEnvNameLength} letters, digits and underscores that does not start with a digit`;
  if (RESERVED.has(name) || OF_AWS.test(name)) return 'must be another name, because the service sets this variable';
  if (LOADERS.has(name))
    return 'must be another name, because this variable loads code into programs: set it in the image';
  return undefined;
}
