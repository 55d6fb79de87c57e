/** The parts of a CloudFormation template that a rehearsal reads. */

export type Properties = Readonly<Record<string, unknown>>;

export interface Resource {
  readonly Type: string;
  readonly Properties?: Properties;
  readonly DependsOn?: string | readonly string[];
}

interface Parameter {
  readonly Type: string;
  readonly Default?: string;
}

export interface Template {
  readonly Parameters?: Readonly<Record<string, Parameter>>;
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

/** A value that is not a list and not a scalar. */
export const isMap = (value: unknown): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether CloudFormation computes the value, with `Ref`, `Fn::GetAtt` or another function. */
export const isIntrinsic = (value: unknown): boolean => {
  const [name, ...others] = isMap(value) ? Object.keys(value) : [];
  return name !== undefined && others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
};
