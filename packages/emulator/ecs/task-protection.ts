/** The task protection endpoint, `${ECS_AGENT_URI}/task-protection/v1/state`. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { arn } from '../account.ts';
import { AwsFault } from '../aws-proxy/aws-fault.ts';
import type { JsonService } from '../aws-proxy/json-service.ts';
import type { Authorize } from '../iam/permissions.ts';
import type { TaskDefinition } from './definitions.ts';
import type { AgentEndpoint, Answer } from './metadata.ts';
import { clusterArn } from './names.ts';
import type { EcsDefinitions } from './registry.ts';

const PATH = '/task-protection/v1/state';

const bodySchema = z.strictObject({
  ProtectionEnabled: z.optional(z.boolean()),
  ExpiresInMinutes: z.optional(z.int()),
});

/** The response of ECS; times are in seconds since 1970. */
interface EcsAnswer {
  readonly protectedTasks: readonly { taskArn: string; protectionEnabled: boolean; expirationDate?: number }[];
  readonly failures: readonly { arn: string; reason: string; detail?: string }[];
}

const invalid = (message: string) => new AwsFault(400, 'InvalidParameterException', message);

/**
 * Parses the body of a request.
 * @throws AwsFault
 */
function readBody(body: string) {
  const decoded = z.pipe(z.string(), z.transform(parseJson));
  const { data, success } = z.safeParse(z.pipe(decoded, bodySchema), body);
  if (!success) throw invalid('UpdateTaskProtection: failed to decode request');
  if (data.ProtectionEnabled === undefined)
    throw invalid("Invalid request: does not contain 'ProtectionEnabled' field");
  return { protectionEnabled: data.ProtectionEnabled, expiresInMinutes: data.ExpiresInMinutes };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asAnswer({ protectedTasks: [task], failures: [failure] }: EcsAnswer): Answer {
  if (failure) {
    const { arn: Arn, reason: Reason, detail: Detail = null } = failure;
    return { status: 200, content: { failure: { Arn, Detail, Reason } } };
  }
  const { taskArn, protectionEnabled, expirationDate } = task as EcsAnswer['protectedTasks'][number];
  const protection = {
    ExpirationDate: expirationDate === undefined ? null : new Date(expirationDate * 1000).toISOString(),
    ProtectionEnabled: protectionEnabled,
    TaskArn: taskArn,
  };
  return { status: 200, content: { protection } };
}

const callerOf = ({ role, roleArn }: TaskDefinition, task: string) => ({
  roleArn,
  sessionArn: arn('sts', `assumed-role/${role}/${task}`, ''),
});

/** Creates the endpoint, which calls ECS under the role of the task, as the agent does. */
export function taskProtectionEndpoint(
  running: EcsDefinitions['running'],
  ecs: JsonService,
  authorize: Authorize = () => undefined,
): AgentEndpoint {
  const find = (id: string) => {
    for (const service of running.values()) {
      const task = service.tasks().find((its) => its.id === id);
      if (task) return { task, definition: service.definition };
    }
    return undefined;
  };

  return async (id, method, path, body) => {
    const found = find(id);
    if (!found || path !== PATH || (method !== 'PUT' && method !== 'GET')) return undefined;
    const { cluster } = found.definition;
    const { taskDefinition } = found.task;
    const { taskArn: Arn } = found.task.state();
    const operation = method === 'PUT' ? 'UpdateTaskProtection' : 'GetTaskProtection';
    try {
      const input = { cluster: clusterArn(cluster), tasks: [Arn], ...(method === 'PUT' && readBody(body)) };
      const { action, resource, context = {} } = ecs.authorization(operation, input);
      authorize(taskDefinition.roleArn, action, resource, context);
      return asAnswer((await ecs.call(operation, input, callerOf(taskDefinition, id))) as EcsAnswer);
    } catch (error) {
      if (!(error instanceof AwsFault)) throw error;
      const { status, name: Code, message: Message } = error;
      return { status, content: { requestID: randomUUID(), error: { Arn, Code, Message } } };
    }
  };
}
