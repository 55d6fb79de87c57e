/** Agents over the emulated deployment, each with a door if a test wants one. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Ports } from '../../aws/ports.ts';
import { run } from '../../core/submission/submit.ts';
import { type Agent, createAgent } from '../../worker/agent/agent.ts';
import type { AgentConfig, AgentHost } from '../../worker/agent/ports.ts';
import { createGateway } from '../../worker/gateway/server.ts';
import type { EmulatedDeployment } from '../emulated-deployment.ts';

export const log = { info: () => {}, error: () => {} };
export const forever = new AbortController().signal;
export const unprotected: AgentHost = {
  log,
  protection: { protect: async () => {}, keep: async () => {}, since: () => undefined },
};
export const IDLE_TIMEOUT = 60_000;

export interface Agents {
  /**
   * @param revision number of the revision that the worker runs
   * @param settings what the endpoint's file says besides
   */
  start(
    endpoint: string,
    worker: string,
    host?: Partial<AgentHost>,
    ports?: Ports,
    revision?: number,
    settings?: Pick<AgentConfig, 'concurrency' | 'isServer'>,
  ): Promise<Agent>;
  /** The address of the agent's door. */
  open(agent: Agent): Promise<string>;
  /** Submits a job and returns its id. */
  submit(endpoint: string, body?: string): Promise<string>;
  /** Ends all that was started. */
  end(): Promise<void>;
}

export function createAgents(emulated: EmulatedDeployment): Agents {
  const agents: Agent[] = [];
  const gateways: Server[] = [];
  return {
    async start(endpoint, worker, host = {}, ports = emulated.ports, revision = undefined, settings = {}) {
      const deployed = await emulated.ports.endpoints.read(endpoint);
      if (!deployed) throw new Error(`${endpoint} is not deployed.`);
      const { normalQueueUrls, lowQueueUrls } = deployed;
      const queues = { normalQueueUrls, lowQueueUrls };
      const config = { endpoint, worker, ...queues, revision, idleTimeout: IDLE_TIMEOUT, ...settings };
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
