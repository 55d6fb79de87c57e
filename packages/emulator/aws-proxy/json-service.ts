import type { Access } from '../iam/evaluate.ts';

/** An AWS service in this process with a JSON protocol, such as ECS. */
export interface JsonService {
  /**
   * Performs the operation for an authorized caller.
   * @throws AwsFault the error that AWS would return
   */
  call(operation: string, input: unknown, caller: { roleArn: string; sessionArn: string }): Promise<unknown>;
  /**
   * Returns the access that a caller needs, with further accesses in `also`, such as passing a role.
   * @throws AwsFault for an unknown operation
   */
  authorization(operation: string, input: unknown): Access & { readonly also?: readonly Access[] };
}
