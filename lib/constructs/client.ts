import type { IGrantable, IPrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

/**
 * What uses a table or a queue: a role that is granted access, and a place for the address. A grant gives both, because
 * neither is of use without the other. Functions are clients as they are.
 */
export interface Client extends IGrantable {
  addEnvironment(name: string, value: string): unknown;
}

/** The role that a grant is for: what it is granted is named as its stack knows it. */
export function roleOf({ grantPrincipal }: IGrantable): IPrincipal & Construct {
  if (Construct.isConstruct(grantPrincipal)) return grantPrincipal as IPrincipal & Construct;
  throw new Error('Only roles of this app are granted something.');
}
