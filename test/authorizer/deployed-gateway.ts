/**
 * The job and management interfaces as the stacks declare them, in this process: API Gateway's emulator, the
 * authorizer's function, and the servers of the ingress. Functions and the ingress only answer with what they were
 * asked for.
 */
import { once } from 'node:events';
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Ports } from '../../aws/ports.ts';
import type { ForwardedRequest } from '../../core/http/request.ts';
import { SECOND } from '../../core/limits.ts';
import { operationOf } from '../../core/operations/routes.ts';
import { sharedBuckets, throttleKey } from '../../core/rates/throttle.ts';
import type { Handlers, IngressOperation } from '../../ingress/handlers.ts';
import { createMemory } from '../../ingress/memory.ts';
import { createBodyReader } from '../../ingress/request-body.ts';
import { createIngressServer, directListener, gatewayListener, listen } from '../../ingress/server.ts';
import type { Template } from '../../packages/emulator/cloudformation/template.ts';
import type { Functions } from '../../packages/emulator/functions/functions.ts';
import { eventually, type Resources, startSmallService } from '../../packages/emulator/test/small-service.ts';
import { type SynthesizedStack, stackOf, synthesize } from '../lib/synthesis.ts';

/** What a request means, to the authorizer or to the code that serves it. */
export interface Meaning {
  readonly operation: string | undefined;
  readonly endpoint: string | undefined;
  /** Id of the job; empty if the path has none. Undefined for the authorizer. */
  readonly job?: string;
  /** Path below `/openai`; empty for other operations. Undefined for the authorizer. */
  readonly path?: string;
}

export interface Asked {
  readonly status: number;
  readonly body: string;
  /** What the service has served; undefined if it has refused the request. */
  readonly served: Meaning | undefined;
  /** What the authorizer has decided about; undefined if API Gateway has not called it. */
  readonly authorized: Meaning | undefined;
}

type Header = string | string[] | undefined;

export interface DeployedGateway {
  /**
   * Sends the path as it is, to API Gateway.
   * @param authorization several values are several headers
   */
  readonly ask: (method: string, path: string, authorization: Header) => Promise<Asked>;
  /** Sends the path as it is, to the ingress, as the distribution does with large bodies. */
  readonly askDirectly: (method: string, path: string, authorization: Header) => Promise<Asked>;
  /** The address of the stages at API Gateway, without a trailing slash. */
  readonly url: string;
  /** Paths of the requests that the load balancer has sent to the ingress, in order, with its health checks. */
  readonly reached: readonly (string | undefined)[];
  /** Lets cached decisions expire, and refills the buckets of the rate limits. */
  readonly pass: () => void;
  stop(): Promise<void>;
}

const KEPT = /^AWS::(?:ApiGateway::|ApiGatewayV2::VpcLink$|ElasticLoadBalancingV2::|SSM::Parameter$)/;
const functionArn = (id: string) => `arn:aws:lambda:us-east-1:000000000000:function:${id}`;
const isAuthorizer = (arn: string) => arn.includes(':function:Authorizer');

/** Replaces references to resources that are not in the template. */
function detached(value: unknown, kept: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => detached(each, kept));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = []] = Object.entries(value);
  if (name === 'Fn::GetAtt' && Array.isArray(argument) && !kept.has(String(argument[0])))
    return functionArn(String(argument[0]));
  if (name === 'Ref' && !kept.has(String(argument)) && !String(argument).startsWith('AWS::')) return String(argument);
  if (name === 'Fn::ImportValue' || name === 'Fn::FindInMap') return 'other';
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, detached(each, kept)]));
}

/**
 * Returns the resources of an interface, with the values that it reads from another interface. Functions answer
 * without a stream, which changes no path.
 */
function interfaceOf({ template }: SynthesizedStack): Template {
  const { Resources: all, Parameters = {} } = template.toJSON() as Template;
  const ids = Object.keys(all).filter((id) => KEPT.test(all[id]?.Type ?? ''));
  const read = Object.entries(Parameters).filter(([, { Default }]) => Default?.startsWith('/gpu-endpoints/Platform/'));
  const kept = new Set([...ids, ...read.map(([id]) => id)]);
  const entries = ids.map((id) => {
    const { DependsOn: _, ...resource } = detached(all[id], kept) as Resources[string] & { DependsOn?: unknown };
    const { Integration } = resource.Properties as { Integration?: Record<string, unknown> };
    if (Integration?.Type === 'AWS_PROXY') {
      const buffered = JSON.stringify(Integration.Uri).replace('response-streaming-invocations', 'invocations');
      Integration.Uri = JSON.parse(buffered.replace('2021-11-15', '2015-03-31'));
      delete Integration.ResponseTransferMode;
      delete Integration.TimeoutInMillis;
    }
    return [id, resource] as const;
  });
  return { Resources: Object.fromEntries(entries), Parameters: Object.fromEntries(read) };
}

type Authorize = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

interface ProxyEvent {
  readonly httpMethod: string;
  readonly resource: string;
  readonly pathParameters?: Readonly<Record<string, string>> | null;
}

/** @param seen gets what the authorizer is asked */
function functionsFor(authorize: Authorize, scope: string, seen: (meaning: Meaning) => void): Functions {
  const unknownEndpoint = throttleKey(scope, sharedBuckets.unknownEndpoint);
  const answer = async (arn: string, event: object): Promise<object> => {
    const { httpMethod, resource, pathParameters } = event as ProxyEvent;
    const { endpoint, job = '', path = '' } = pathParameters ?? {};
    const operation = operationOf(httpMethod, resource) ?? resource;
    if (!isAuthorizer(arn))
      return { statusCode: 200, headers: {}, body: JSON.stringify({ operation, endpoint, job, path }) };
    seen({ operation, endpoint });
    const decision = await authorize(event as APIGatewayRequestAuthorizerEvent);
    // The bucket of an endpoint belongs to the stack of the endpoint. This one is in the plans of both interfaces.
    return decision.usageIdentifierKey ? { ...decision, usageIdentifierKey: unknownEndpoint } : decision;
  };
  return {
    define: () => undefined,
    has: () => true,
    roleOf: () => 'arn:aws:iam::000000000000:role/test',
    folderOf: () => '.',
    invoke: async (arn, event) => JSON.stringify(await answer(arn, event)),
    invokeStreaming: () => {
      throw new Error('No function streams in this test.');
    },
    endIdle: () => undefined,
    crash: async () => undefined,
    stop: async () => undefined,
  };
}

function ingressHandlers(): Handlers {
  const serve = (operation: IngressOperation) => async (asked: ForwardedRequest) => {
    const { endpoint, job, path } = asked;
    const body = [Buffer.from(JSON.stringify({ operation, endpoint, job, path }))];
    return { status: 200, headers: {}, body };
  };
  return {
    run: serve('run'),
    runsync: serve('runsync'),
    'status-sync': serve('status-sync'),
    stream: serve('stream'),
    openai: serve('openai'),
  };
}

async function startIngressServers(ports: Ports) {
  const parts = {
    handlers: ingressHandlers(),
    bodies: createBodyReader(createMemory()),
    open: { count: () => 0, begin: () => undefined, end: () => undefined, stop: () => undefined },
    origin: undefined,
    onFailure: () => undefined,
    onTraced: () => undefined,
    isDraining: () => false,
  };
  const servers = [
    createIngressServer(parts, gatewayListener),
    createIngressServer(parts, directListener(ports)),
  ] as const;
  const reached: (string | undefined)[] = [];
  servers[0].prependListener('request', ({ url }) => reached.push(url));
  for (const server of servers) await listen(server, 0, '127.0.0.1');
  const [gateway = 0, direct = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  const stop = () => {
    for (const server of servers) server.close().closeAllConnections();
  };
  return { gateway, direct, reached, stop };
}

function meaningIn(status: number, body: string): Meaning | undefined {
  if (status !== 200 || !body.startsWith('{"operation":')) return undefined;
  return JSON.parse(body) as Meaning;
}

/** @param ports of the deployment whose keys are accepted. Its variables name the tables of the authorizer. */
export async function startDeployedGateway(ports: Ports): Promise<DeployedGateway> {
  const stacks = ['Platform', 'Management'].map((stack) => stackOf(synthesize(), stack));
  const name = stacks[0]?.name ?? '';
  process.env.THROTTLE_SCOPE = name;
  const { handler } = (await import('../../lambda/authorizer/authorize.ts')) as { handler: Authorize };
  let now = Date.now();
  let authorized: Meaning | undefined;
  const functions = functionsFor(handler, name, (meaning) => {
    authorized = meaning;
  });
  const interfaces = Object.fromEntries(stacks.map((stack) => [stack.name, interfaceOf(stack)]));
  const service = await startSmallService(interfaces, '', { functions, now: () => now });
  const ingress = await startIngressServers(ports);
  const groups = [...service.loadBalancers.targetGroups.values()];
  const registrations = groups.map((group) =>
    group.register({ host: '127.0.0.1', port: ingress.gateway }, () => undefined),
  );
  await eventually('the ingress is healthy', () => registrations.every(({ health }) => health() === 'healthy'));
  const agent = new Agent({ keepAlive: true });

  async function send(port: number, method: string, path: string, authorization: Header): Promise<Asked> {
    authorized = undefined;
    const headers: OutgoingHttpHeaders = {
      Host: 'test',
      ...(authorization !== undefined && { Authorization: authorization }),
    };
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers });
    outgoing.end(method === 'POST' ? '{}' : undefined);
    const [response] = await once(outgoing, 'response');
    const body = await text(response);
    const status = Number(response.statusCode);
    return { status, body, served: meaningIn(status, body), authorized };
  }

  const gatewayPort = Number(new URL(service.gatewayUrl).port);
  return {
    url: new URL(service.gatewayUrl).origin,
    reached: ingress.reached,
    ask: (...asked) => send(gatewayPort, ...asked),
    askDirectly: (...asked) => send(ingress.direct, ...asked),
    pass() {
      now += 60 * SECOND;
    },
    async stop() {
      agent.destroy();
      for (const registration of registrations) await registration.deregister(AbortSignal.abort());
      ingress.stop();
      await service.stop();
    },
  };
}
