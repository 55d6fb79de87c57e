import type { Access } from '../iam/evaluate.ts';

/** An AWS service that runs in this process and speaks JSON, such as ECS. */
export interface JsonService {
  /**
   * Does what the operation says, for a caller that may have it done.
   * @throws AwsFault as the service would
   */
  call(operation: string, input: unknown, caller: { roleArn: string; sessionArn: string }): Promise<unknown>;
  /**
   * What a caller must be allowed, and what else: to pass a role, for instance.
   * @throws AwsFault for an operation that is not known
   */
  authorization(operation: string, input: unknown): Access & { readonly also?: readonly Access[] };
}
