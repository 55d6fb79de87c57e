import type { IGrantable } from 'aws-cdk-lib/aws-iam';

/**
 * What uses a table or a queue: a role that is granted access, and a place for the address. A grant gives both, because
 * neither is of use without the other. Functions are clients as they are.
 */
export interface Client extends IGrantable {
  addEnvironment(name: string, value: string): unknown;
}
