/** The parameters of templates: their defaults, and the Parameter Store values that some of them read. */
import { LocalError } from '../local-error.ts';
import type { Template } from './template.ts';

/** Values in Parameter Store, by parameter name. The items of a list are separated by commas. */
type StoredParameters = ReadonlyMap<string, string>;

const READ = /^AWS::SSM::Parameter::Value<(List<)?/;

/**
 * Public parameters of AWS, on which nothing depends here: machine images, and the version of the bootstrap stack.
 */
const OF_AWS = /^\/(?:aws\/service|cdk-bootstrap)\//;

/**
 * Returns the value of a parameter of the template, a string or a list of strings; undefined if the template does
 * not have the parameter, or the parameter has no default.
 * @throws LocalError if the parameter reads a value that no earlier stack stores
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
