import * as z from 'zod/mini';
import { arn } from '../../account.ts';
import { LocalError } from '../../local-error.ts';
import { parseDefinition } from '../../step-functions/definition.ts';
import { describe, ignored, physicalName } from '../resource.ts';
import { run } from '../resource-type.ts';

const MAX_NAME_LENGTH = 80;

const machineSchema = z.strictObject({
  StateMachineName: z.optional(z.string()),
  // Standard executions would outlive the process that runs them.
  StateMachineType: z.literal('EXPRESS'),
  DefinitionString: z.string(),
  RoleArn: z.string(),
  Tags: ignored,
});

export const stateMachine = run(machineSchema, async (resource, { stateMachines, functions }) => {
  const { StateMachineName: name = physicalName(resource, MAX_NAME_LENGTH), RoleArn } = resource.properties;
  const where = describe(resource);
  const definition = parseDefinition(resource.properties.DefinitionString, where);
  for (const state of Object.values(definition.States))
    if (state.Type === 'Task' && !functions.has(state.Parameters.FunctionName))
      throw new LocalError(`${where} cannot run here: there is no function ${state.Parameters.FunctionName}.`);
  const machineArn = arn('states', `stateMachine:${name}`);
  await stateMachines.define({ name, arn: machineArn, roleArn: RoleArn, definition });
  return { ref: machineArn, attributes: { Arn: machineArn, Name: name } };
});
