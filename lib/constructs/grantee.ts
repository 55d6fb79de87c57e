import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/**
 * What is granted access to a table or a queue: a role, and an environment for the address. A grant sets both, because
 * the access is useless without the address, and the address without the access. Every Lambda function is a grantee.
 */
export interface Grantee extends IGrantable {
  addEnvironment(name: string, value: string): unknown;
}

/** Returns the role of a grant. The stack of the role determines the names by which resources are granted. */
export function roleOf({ grantPrincipal }: IGrantable): IPrincipal & Construct {
  if (Construct.isConstruct(grantPrincipal)) return grantPrincipal as IPrincipal & Construct;
  throw new Error('A grant needs a role that this app creates; this principal is not a role of the app.');
}
