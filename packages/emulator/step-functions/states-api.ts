/** The only operation of Step Functions that the stacks use. Any other operation is refused by name. */
import * as z from 'zod/mini';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { StateMachines } from './state-machines.ts';

const inputSchema = z.strictObject({ stateMachineArn: z.string(), input: z._default(z.string(), '{}') });

/** Maximum size of an input in Step Functions, in bytes. */
const MAX_INPUT_BYTES = 256 * 1024;

/**
 * Parses an input.
 * @throws AwsFault
 */
function asInput(operation: string, input: unknown): z.output<typeof inputSchema> {
  if (operation !== 'StartExecution')
    throw new AwsFault(
      400,
      'UnknownOperationException',
      `Step Functions has no operation ${operation} on this machine.`,
    );
  const parsed = z.safeParse(inputSchema, input);
  if (!parsed.success)
    throw new AwsFault(400, 'ValidationException', 'StartExecution does not support this input on this machine.');
  if (Buffer.byteLength(parsed.data.input) > MAX_INPUT_BYTES)
    throw new AwsFault(400, 'InvalidExecutionInput', `The input is over ${MAX_INPUT_BYTES} bytes.`);
  return parsed.data;
}

export const createStatesApi = (stateMachines: StateMachines): JsonService => ({
  async call(operation, request) {
    const { stateMachineArn, input } = asInput(operation, request);
    if (!stateMachines.has(stateMachineArn))
      throw new AwsFault(400, 'StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
    return { executionArn: stateMachines.start(stateMachineArn, input), startDate: Date.now() / 1000 };
  },

  authorization: (operation, request) => ({
    action: 'states:StartExecution',
    resource: asInput(operation, request).stateMachineArn,
  }),
});
