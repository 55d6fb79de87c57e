/** Agents over the emulated deployment. A test can open a gateway for each. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ports } from '../../aws/ports.ts';
import { run } from '../../core/submission/submit.ts';
import { type Agent, createAgent } from '../../worker/agent/agent.ts';
import type { AgentConfig, AgentHost } from '../../worker/agent/ports.ts';
import { createGateway } from '../../worker/gateway/server.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';

export const log = { info: () => {}, error: () => {} };
export const forever = new AbortController().signal;
export const unprotected: AgentHost = {
  log,
  protection: { protect: async () => {}, keep: async () => {}, since: () => undefined },
};
export const IDLE_TIMEOUT = 60_000;

export interface AgentSettings extends Partial<AgentHost>, Pick<AgentConfig, 'concurrency' | 'isServer' | 'revision'> {
  /** @default - the ports of the emulated deployment */
  readonly ports?: Ports;
}

export interface Agents {
  start(endpoint: string, worker: string, settings?: AgentSettings): Promise<Agent>;
  /** Opens the agent's gateway and returns its address. */
  open(agent: Agent): Promise<string>;
  /** Submits a job and returns its id. */
  submit(endpoint: string, body?: string): Promise<string>;
  /** Stops all agents and gateways. */
  end(): Promise<void>;
}

export function createAgents(emulated: EmulatedDeployment): Agents {
  const agents: Agent[] = [];
  const gateways: Server[] = [];
  return {
    async start(endpoint, worker, { ports = emulated.ports, concurrency, isServer, revision, ...host } = {}) {
      const deployed = await emulated.ports.endpoints.read(endpoint);
      if (!deployed) throw new Error(`${endpoint} is not deployed.`);
      const { normalQueueUrls, lowQueueUrls } = deployed;
      const queues = { normalQueueUrls, lowQueueUrls, idleTimeout: IDLE_TIMEOUT };
      const config = { endpoint, worker, ...queues, concurrency, isServer: isServer ?? false, revision };
      const agent = createAgent(ports, config, { ...unprotected, ...host });
      agents.push(agent);
      return agent;
    },

    async open(agent) {
      const gateway = createGateway(agent, log).listen(0, '127.0.0.1');
      gateways.push(gateway);
      await once(gateway, 'listening');
      return `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    },

    async submit(endpoint, body = '{"input":{"n":12345678901234567890}}') {
      return (await run(emulated.ports, { endpoint, owner: 'ada', body: Buffer.from(body) })).id;
    },

    async end() {
      for (const gateway of gateways.splice(0)) gateway.close().closeAllConnections();
      await Promise.allSettled(agents.splice(0).map((agent) => agent.drain(0)));
    },
  };
}
