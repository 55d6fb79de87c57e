/** The parameters of templates: their defaults, and what Parameter Store has under the names that some of them are. */
import { LocalError } from '../local-error.ts';
import type { Template } from './template.ts';

/** Values by the names that templates give them. Those of lists are texts with commas between. */
type StoredParameters = ReadonlyMap<string, string>;

const READ = /^AWS::SSM::Parameter::Value<(List<)?/;

/** What AWS itself stores there, of which nothing depends on this machine: images, and the version of the bootstrap. */
const OF_AWS = /^\/(?:aws\/service|cdk-bootstrap)\//;

/**
 * The value of a parameter of the template: a text, or a list of texts; undefined if it has none of that name.
 * @throws LocalError if it reads what no stack before it stores
 */
export function parameterOf(
  { Parameters = {} }: Template,
  name: string,
  stored: StoredParameters,
): string | string[] | undefined {
  if (!Object.hasOwn(Parameters, name)) return undefined;
  const { Type = 'String', Default } = Parameters[name] ?? {};
  const [reads, list] = READ.exec(Type) ?? [];
  if (reads === undefined || Default === undefined || OF_AWS.test(Default)) return Default;
  const value = stored.get(Default);
  if (value === undefined) throw new LocalError(`The parameter ${name} reads ${Default}, which no stack stores.`);
  return list === undefined ? value : value.split(',');
}
