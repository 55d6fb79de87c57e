/** Tests `npm start` with a minimal template of a service behind a load balancer and API Gateway. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../packages/emulator/cloudformation/template.ts';
import { freePort } from '../../packages/emulator/network/ports.ts';
import { endMarkedProcesses } from '../../packages/emulator/state/processes.ts';
import { addressOf, balancer } from '../../packages/emulator/test/load-balancer/small-balancer.ts';
import { eventually, newFolder, writeAssembly } from '../../packages/emulator/test/small-service.ts';
import { processesThatCarry, readOfProcess } from '../runner/processes.ts';

const LIMIT = 60_000;
const HEALTH_CHECK_DELAY = 300;

/**
 * The server is healthy only after a delay, and answers other requests before that. It must not be a target until
 * it is healthy.
 */
const ingress = `
const begun = Date.now();
require('node:http').createServer((request, response) => {
  const isHealthy = Date.now() - begun > ${HEALTH_CHECK_DELAY};
  if (request.url === '/health') return response.writeHead(isHealthy ? 200 : 503).end();
  response.end(process.pid + ' ' + request.url);
}).listen(process.env.GATEWAY_PORT, process.argv[2]);
`;

const platform: Template = {
  Resources: {
    ...balancer(),
    Link: { Type: 'AWS::ApiGatewayV2::VpcLink', Properties: { Name: 'link', SubnetIds: [] } },
    Task: {
      Type: 'AWS::ECS::TaskDefinition',
      Properties: {
        Family: 'ingress',
        TaskRoleArn: 'arn:aws:iam::000000000000:role/test',
        RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
        ContainerDefinitions: [
          {
            Name: 'ingress',
            Image: 'test/ingress',
            PortMappings: [{ ContainerPort: 8080, Protocol: 'tcp' }],
            HealthCheck: { Command: ['CMD', 'node', 'check.js'], Interval: 5 },
          },
        ],
      },
    },
    Service: {
      Type: 'AWS::ECS::Service',
      Properties: {
        Cluster: 'platform',
        TaskDefinition: { Ref: 'Task' },
        DesiredCount: 1,
        HealthCheckGracePeriodSeconds: 60,
        LoadBalancers: [{ ContainerName: 'ingress', ContainerPort: 8080, TargetGroupArn: { Ref: 'Group' } }],
      },
      DependsOn: ['Listener'],
    },
    Scaling: { Type: 'AWS::ApplicationAutoScaling::ScalableTarget', Properties: { MaxCapacity: 10 } },
    Policy: { Type: 'AWS::ApplicationAutoScaling::ScalingPolicy', Properties: { ScalingTargetId: { Ref: 'Scaling' } } },
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'small' } },
    Run: {
      Type: 'AWS::ApiGateway::Resource',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ParentId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
        PathPart: 'runsync',
      },
    },
    Method: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ResourceId: { Ref: 'Run' },
        HttpMethod: 'POST',
        AuthorizationType: 'NONE',
        Integration: {
          Type: 'HTTP_PROXY',
          IntegrationHttpMethod: 'POST',
          Uri: addressOf('/echo/runsync'),
          ConnectionType: 'VPC_LINK',
          ConnectionId: { Ref: 'Link' },
          IntegrationTarget: { Ref: 'Balancer' },
          ResponseTransferMode: 'STREAM',
          TimeoutInMillis: 900_000,
        },
      },
    },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: { RestApiId: { Ref: 'Api' }, StageName: 'v2', DeploymentId: 'd' },
    },
  },
  Outputs: {
    Address: {
      Value: { 'Fn::Join': ['', ['https://', { Ref: 'Api' }, '.execute-api.us-east-1.amazonaws.com/v2/runsync']] },
    },
  },
};

const folder = newFolder();
const stateDir = join(folder, 'state');
let child: ChildProcess | undefined;

afterAll(async () => {
  child?.kill('SIGKILL');
  await endMarkedProcesses(stateDir);
});

/**
 * Starts the service.
 * @returns what the service printed until it was ready
 */
async function start(): Promise<string> {
  const script = join(folder, 'ingress.cjs');
  writeFileSync(script, ingress);
  const images = join(folder, 'images.yaml');
  writeFileSync(
    images,
    `test/ingress: {command: [node, ${script}, "{address}"], health: /health, ports: {8080: GATEWAY_PORT}}\n`,
  );
  const assembly = writeAssembly(join(folder, 'assembly'), { Platform: platform });
  const env = { ...process.env, PORT: String(await freePort()), LOCAL_STATE_DIR: stateDir, LOCAL_IMAGES: images };
  const started = spawn(process.execPath, ['bin/start/main.mjs', '--assembly', assembly], { env });
  child = started;
  let printed = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const isOver = () => printed.includes('stops everything.') || started.exitCode !== null;
  await eventually('it is ready', isOver, LIMIT);
  return printed;
}

async function ask() {
  const { Platform } = JSON.parse(readFileSync(join(stateDir, 'outputs.json'), 'utf8'));
  const response = await fetch(Platform.Address, { method: 'POST', body: '{}' });
  return { status: response.status, text: await response.text() };
}

describe('npm start with a service behind a load balancer', () => {
  it('is ready when a target is healthy, and lists no workers, because it has no endpoint', async () => {
    const printed = await start();
    expect(printed).toMatch(/ s {2}Starting the ingress \.\.\.\n/);
    expect(printed).not.toMatch(/^Workers/m);
    expect(await ask()).toEqual({ status: 200, text: expect.stringMatching(/^\d+ \/v2\/echo\/runsync$/) });
  });

  it('starts another task when the process of a task is killed', async () => {
    const { text } = await ask();
    const isIngress = (pid: number) => readOfProcess(pid, 'cmdline').includes('ingress.cjs');
    const [pid] = processesThatCarry(`=${stateDir}#`).filter(isIngress);
    expect(text).toContain(String(pid));
    process.kill(Number(pid), 'SIGKILL');
    await eventually('another task answers', async () => {
      const { status, text: other } = await ask();
      return status === 200 && other !== text;
    });
  });

  it('stops with all its processes after Ctrl-C', async () => {
    const ended = once(child as ChildProcess, 'exit');
    child?.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
    expect(processesThatCarry(`=${stateDir}#`)).toEqual([]);
  });
});
