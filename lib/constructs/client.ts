import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/**
 * A user of a table or a queue: a role that is granted access, and an environment for the address. A grant gives both,
 * because neither is of use without the other. Every Lambda function is a client.
 */
export interface Client extends IGrantable {
  addEnvironment(name: string, value: string): unknown;
}

/** Returns the role that a grant is for. Its stack decides by which names resources are granted. */
export function roleOf({ grantPrincipal }: IGrantable): IPrincipal & Construct {
  if (Construct.isConstruct(grantPrincipal)) return grantPrincipal as IPrincipal & Construct;
  throw new Error('A grant needs a role that this app creates; this principal is none.');
}
