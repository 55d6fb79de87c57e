import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { AGENT_PORT } from '../../../core/workers/protocol.ts';
import { agentImage as imageOf } from '../../../lib/constructs/images.ts';
import { InvalidSetting } from '../../../lib/settings/settings.ts';
import { createApp, declare, stackOf, synthesizeWith } from '../synthesis.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'images-'));

interface Container {
  readonly Name: string;
  readonly Image: unknown;
  readonly HealthCheck?: object;
}

const stackWith = (settings: object) => stackOf(synthesizeWith(settings, [declare('echo')]), 'Endpoint-echo');

function containerOf({ template }: ReturnType<typeof stackWith>, name: string): Container | undefined {
  const [task] = Object.values(template.findResources('AWS::ECS::TaskDefinition'));
  const { ContainerDefinitions = [] } = (task?.Properties ?? {}) as { ContainerDefinitions?: readonly Container[] };
  return ContainerDefinitions.find(({ Name }) => Name === name);
}

/** The permission to read the repository, for the role that pulls images. */
const readsRepository = Match.objectLike({
  PolicyDocument: {
    Statement: Match.arrayWith([
      Match.objectLike({
        Action: Match.arrayWith(['ecr:BatchGetImage']),
        Resource: Match.arrayWith(['arn:aws:ecr:eu-west-1:123456789012:repository/team/agent']),
      }),
    ]),
  },
});

const ecr = (rest: string) => ({
  'Fn::Join': ['', ['123456789012.dkr.ecr.eu-west-1.', { Ref: 'AWS::URLSuffix' }, `/team/agent${rest}`]],
});
const digest = `sha256:${'0a'.repeat(32)}`;

describe('the context images:not-copied', () => {
  it('leaves the sources of images out of the assembly, and changes no template', () => {
    const synthesizeTo = (folder: string, settings: object) => createApp(folder, [declare('echo')], settings).synth();
    const [copied, notCopied] = [newFolder(), newFolder()];
    const texts = [synthesizeTo(copied, {}), synthesizeTo(notCopied, { 'images:not-copied': true })].map((assembly) =>
      assembly.stacks.map((stack) => readFileSync(stack.templateFullPath, 'utf8')),
    );
    expect(texts[1]).toEqual(texts[0]);
    const [images, none] = [copied, notCopied].map((folder) => globSync('asset.*/worker', { cwd: folder }).length);
    expect(images).toBeGreaterThan(0);
    expect(none).toBe(0);
  });
});

describe('the context agentImage', () => {
  it.each(['registry.example.com:5000/team/agent:1.2', `team/agent@${digest}`])(
    'sets the image of the agent to %s, and no image is built',
    (agentImage) => {
      const stack = stackWith({ agentImage });
      expect(containerOf(stack, 'agent')?.Image).toBe(agentImage);
      expect(stack.images).toEqual({});
    },
  );

  it.each([':1.2', `@${digest}`])(
    'can name an image of Amazon ECR that ends with %s, and grants the permission to pull it',
    (rest) => {
      const stack = stackWith({ agentImage: `123456789012.dkr.ecr.eu-west-1.amazonaws.com/team/agent${rest}` });
      expect(containerOf(stack, 'agent')?.Image).toEqual(ecr(rest));
      stack.template.hasResourceProperties('AWS::IAM::Policy', readsRepository);
    },
  );

  it.each([
    'team/agent',
    'agent:',
    'https://registry.example.com/agent:1',
    'Team/agent:1',
    'a b:1',
    7,
    'agent@sha256:0a',
  ])('cannot be %j', (agentImage) => {
    const synthesis = () => imageOf(new Stack(new App({ context: { agentImage } })));
    expect(synthesis).toThrow(InvalidSetting);
    expect(synthesis).toThrow(`\`agentImage\` must be an image with its tag or digest, such as`);
    expect(synthesis).toThrow(`got ${JSON.stringify(agentImage)}.`);
  });
});

describe("the agent's Dockerfile", () => {
  const lines = readFileSync('worker/Dockerfile', 'utf8').replaceAll('\\\n', ' ').split('\n');

  const stack = stackWith({});

  it('copies exactly the files that a deployment sends', () => {
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? []);
    expect(new Set(copied)).toEqual(new Set(stack.images['gpu-endpoints/agent']));
  });

  it('runs as a user who is not root, and has the health check of the task definition', () => {
    expect(lines.filter((line) => /^(USER|FROM) /.test(line)).at(-1)).toBe('USER node');
    const line = lines.find((it) => it.startsWith('HEALTHCHECK')) ?? '';
    const option = (name: string) => Number(new RegExp(`--${name}=(\\d+)`).exec(line)?.[1]);
    const command = JSON.parse(/CMD (\[.+\])$/.exec(line)?.[1] ?? '[]') as string[];
    const withPort = command.map((word) => word.replace("' + process.env.AGENT_PORT + '", String(AGENT_PORT)));
    expect(containerOf(stack, 'agent')?.HealthCheck).toEqual({
      Command: ['CMD', ...withPort],
      Interval: option('interval'),
      Timeout: option('timeout'),
      StartPeriod: option('start-period'),
      Retries: option('retries'),
    });
  });
});
