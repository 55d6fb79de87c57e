/** The parameters of templates: their defaults, and values of Parameter Store that some of them name. */
import { LocalError } from '../local-error.ts';
import type { Template } from './template.ts';

/** Values by the names in templates. A list is a text, separated by commas. */
type StoredParameters = ReadonlyMap<string, string>;

const READ = /^AWS::SSM::Parameter::Value<(List<)?/;

/** Parameters of AWS itself, on which nothing depends here: images, and the version of the bootstrap. */
const OF_AWS = /^\/(?:aws\/service|cdk-bootstrap)\//;

/**
 * Returns the value of a parameter of the template, a text or a list of texts; undefined if the template has no such
 * parameter.
 * @throws LocalError if it reads a value that no earlier stack stores
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
