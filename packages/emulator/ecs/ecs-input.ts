/** The supported inputs of ECS operations. Fields of AWS that are not supported here are refused by name. */
import * as z from 'zod/mini';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import { rules } from './rules.ts';
import { registerInput } from './task-definition-input.ts';

/** The default cluster name of ECS. Operations refuse it unless a cluster of this name exists. */
const cluster = z._default(z.string(), 'default');
const list = (max: number) => z.array(z.string()).check(z.minLength(1), z.maxLength(max));
const { min, max } = rules.protectionPeriod.value;

export const inputs = {
  RegisterTaskDefinition: registerInput,
  DeregisterTaskDefinition: z.strictObject({ taskDefinition: z.string() }),
  DescribeTaskDefinition: z.strictObject({
    taskDefinition: z.string(),
    include: z._default(z.array(z.literal('TAGS')), []),
  }),
  ListTaskDefinitions: z.strictObject({
    familyPrefix: z.string(),
    status: z._default(z.literal(['ACTIVE', 'INACTIVE']), 'ACTIVE'),
  }),
  UpdateService: z.strictObject({
    cluster,
    service: z.string(),
    desiredCount: z.optional(z.int().check(z.minimum(0))),
    taskDefinition: z.optional(z.string()),
    forceNewDeployment: z._default(z.boolean(), false),
  }),
  DescribeServices: z.strictObject({ cluster, services: list(10) }),
  ListTasks: z.strictObject({
    cluster,
    serviceName: z.optional(z.string()),
    desiredStatus: z._default(z.literal(['RUNNING', 'PENDING', 'STOPPED']), 'RUNNING'),
  }),
  DescribeTasks: z.strictObject({ cluster, tasks: list(100) }),
  // Tasks are processes on this machine, so a cluster has no container instances.
  ListContainerInstances: z.strictObject({ cluster }),
  StopTask: z.strictObject({ cluster, task: z.string(), reason: z.optional(z.string()) }),
  UpdateTaskProtection: z.strictObject({
    cluster: z.string(),
    tasks: list(10),
    protectionEnabled: z.boolean(),
    expiresInMinutes: z.optional(z.int().check(z.minimum(min), z.maximum(max))),
  }),
  GetTaskProtection: z.strictObject({ cluster: z.string(), tasks: list(100) }),
} as const;

export type Operation = keyof typeof inputs;

export type Input<Name extends Operation> = z.output<(typeof inputs)[Name]>;

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${key} is not supported on this machine`).join('; ');
  const path = issue.path.join('.') || 'the request';
  return issue.input === undefined ? `${path} is missing` : `${path} cannot be ${JSON.stringify(issue.input)}`;
}

/**
 * Checks that the operation exists.
 * @throws AwsFault `UnknownOperationException`
 */
export function asOperation(name: string): Operation {
  if (Object.hasOwn(inputs, name)) return name as Operation;
  throw new AwsFault(400, 'UnknownOperationException', `ECS has no operation ${name} on this machine.`);
}

/**
 * Parses an input.
 * @throws AwsFault `InvalidParameterException` that names every invalid member
 */
export function asInput<Name extends Operation>(operation: Name, input: unknown): Input<Name> {
  const parsed = z.safeParse(inputs[operation], input, { reportInput: true });
  if (parsed.success) return parsed.data as Input<Name>;
  const complaints = parsed.error.issues.map(complaint).join('; ');
  throw new AwsFault(400, 'InvalidParameterException', `${operation}: ${complaints}.`);
}
