/** The environment variables that a template may set in the user's container. */
import { doorVariables } from '../workers/protocol.ts';

const FORM = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LONGEST = 255;

/** Set by the service, or by ECS and for the AWS SDK in the container. */
const OURS: ReadonlySet<string> = new Set(Object.keys(doorVariables('', 0)));
const OF_AWS = /^(?:AWS|ECS)_/;
/** Each loads code into every program that starts. `PATH` may be set: it replaces only the image's own. */
const LOADERS: ReadonlySet<string> = new Set(['LD_PRELOAD', 'LD_AUDIT', 'NODE_OPTIONS']);
/** Every JavaScript object has it already. */
const PROTOTYPE = '__proto__';

/** @returns the end of the sentence "the name …", or undefined if the variable may be set */
export function envNameRefusal(name: string): string | undefined {
  if (!FORM.test(name) || name.length > LONGEST || name === PROTOTYPE)
    return `must be a name of at most ${LONGEST} letters, digits and underscores that does not start with a digit`;
  if (OURS.has(name) || OF_AWS.test(name)) return 'must be another name: this one is set for the container';
  if (LOADERS.has(name))
    return 'must be another name: this one puts code into programs as they start, so it is set in an image only';
  return undefined;
}
