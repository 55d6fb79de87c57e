/** An AWS service that runs in this process and speaks JSON, such as ECS. */
export interface JsonService {
  /**
   * Does what the operation says, for a caller that may have it done.
   * @throws AwsFault as the service would
   */
  call(operation: string, input: unknown, caller: { roleArn: string; sessionArn: string }): Promise<unknown>;
  /**
   * What a caller must be allowed.
   * @throws AwsFault for an operation that is not known
   */
  authorization(
    operation: string,
    input: unknown,
  ): { action: string; resource: string; context?: Record<string, readonly string[]> };
}
