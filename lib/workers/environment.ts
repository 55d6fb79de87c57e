/** The environments of the two containers of a worker, and the health check of the agent. */
import { Duration } from 'aws-cdk-lib';
import type { HealthCheck } from 'aws-cdk-lib/aws-ecs';
import { AGENT_PORT, agentVariables, defaultVariables } from '../../core/workers/protocol.ts';
import { callerVariables, serverVariables } from '../../core/workers/server-settings.ts';
import { healthCommand } from '../constructs/images.ts';
import type { EndpointDeclaration } from '../endpoints/declaration.ts';
import { serverOf } from '../endpoints/http.ts';

type Environment = Record<string, string>;

export function agentEnvironment(declaration: EndpointDeclaration): Environment {
  const { id, idleTimeout, concurrency } = declaration;
  const server = serverOf(declaration);
  return {
    ENDPOINT_ID: id,
    AGENT_PORT: String(AGENT_PORT),
    IDLE_TIMEOUT: String(idleTimeout),
    ...(concurrency !== undefined && { CONCURRENCY: String(concurrency) }),
    ...(server && callerVariables(server, concurrency)),
  };
}

/**
 * Returns the variables that this project sets in the user's container. A release inserts the variables of the template
 * between the defaults and the other variables.
 */
export function workerEnvironment(declaration: EndpointDeclaration): Environment {
  const { id, concurrency } = declaration;
  const server = serverOf(declaration);
  if (server) return serverVariables(id, server.port, concurrency);
  return { ...defaultVariables, ...agentVariables(id, AGENT_PORT, concurrency) };
}

export function agentHealthCheck(): HealthCheck {
  return {
    command: healthCommand(AGENT_PORT, '/health'),
    interval: Duration.seconds(5),
    timeout: Duration.seconds(5),
    startPeriod: Duration.seconds(15),
    retries: 3,
  };
}
