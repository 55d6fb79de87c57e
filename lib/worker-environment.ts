/** What the two containers of a worker are told, and how ECS knows that the agent lives. */
import { Duration } from 'aws-cdk-lib';
import type { HealthCheck } from 'aws-cdk-lib/aws-ecs';
import { defaultVariables, doorVariables } from '../core/workers/protocol.ts';
import { callerVariables, serverVariables } from '../core/workers/server.ts';
import type { EndpointDeclaration } from './endpoint-declaration.ts';
import { serverOf } from './http-declaration.ts';

type Environment = Record<string, string>;

/** The agent listens on the task's loopback address, where the user's server does not. */
const AGENT_PORT = 8080;
const agentPort = (declaration: EndpointDeclaration) =>
  serverOf(declaration)?.port === AGENT_PORT ? AGENT_PORT + 1 : AGENT_PORT;

export function agentEnvironment(declaration: EndpointDeclaration): Environment {
  const { id, idleTimeout, concurrency } = declaration;
  const server = serverOf(declaration);
  return {
    ENDPOINT_ID: id,
    AGENT_PORT: String(agentPort(declaration)),
    IDLE_TIMEOUT: String(idleTimeout),
    ...(server && callerVariables(server, concurrency)),
  };
}

export function workerEnvironment(declaration: EndpointDeclaration): Environment {
  const { id, env, concurrency } = declaration;
  const server = serverOf(declaration);
  if (server) return { ...env, ...serverVariables(id, server.port, concurrency) };
  return { ...defaultVariables, ...env, ...doorVariables(id, agentPort(declaration), concurrency) };
}

export function agentHealthCheck(declaration: EndpointDeclaration): HealthCheck {
  const url = `http://127.0.0.1:${agentPort(declaration)}/health`;
  const exit = `fetch('${url}').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`;
  return {
    command: ['CMD', 'node', '-e', exit],
    interval: Duration.seconds(5),
    timeout: Duration.seconds(5),
    startPeriod: Duration.seconds(15),
    retries: 3,
  };
}
