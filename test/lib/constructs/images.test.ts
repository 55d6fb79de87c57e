import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { AGENT_PORT } from '../../../core/workers/protocol.ts';
import { imagesOf } from '../../../lib/constructs/images-setting.ts';
import { InvalidSetting, scopeWith } from '../../../lib/settings/settings.ts';
import { createApp, declare, stackOf, staged, synthesizeWith } from '../synthesis.ts';

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

/** The permission to read a repository, for the role that pulls images. */
const reads = (resource: unknown) =>
  Match.objectLike({
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: Match.arrayWith(['ecr:BatchGetImage']),
          Resource: resource,
        }),
      ]),
    },
  });

const digest = `sha256:${'0a'.repeat(32)}`;
const otherDigest = `sha256:${'0b'.repeat(32)}`;

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

describe('the context images', () => {
  const images = { registry: 'registry.example.com:5000/platform', agent: digest, ingress: otherDigest };
  const repositories = 'arn:aws:ecr:eu-west-1:123456789012:repository/platform';
  const ecrRegistry = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/platform';

  it('sets the images of the agent and the ingress by registry and digest, and no image is built', () => {
    const stacks = synthesizeWith({ images }, [declare('echo')]);
    expect(containerOf(stackOf(stacks, 'Endpoint-echo'), 'agent')?.Image).toBe(`${images.registry}/agent@${digest}`);
    expect(containerOf(stackOf(stacks, 'Platform'), 'ingress')?.Image).toBe(
      `${images.registry}/ingress@${otherDigest}`,
    );
    expect(Object.values(stacks).flatMap((stack) => Object.keys(stack.images))).toEqual([]);
  });

  it.each([
    // The role of workers can also pull their own images.
    ['Endpoint-echo', 'agent', digest, Match.arrayWith([`${repositories}/agent`])],
    ['Platform', 'ingress', otherDigest, `${repositories}/ingress`],
  ])(
    'can name a registry of Amazon ECR, and grants %s the permission to pull the %s',
    (stack, name, pinned, resource) => {
      const stacks = synthesizeWith({ images: { ...images, registry: ecrRegistry }, imageRepositories: ['models/*'] }, [
        declare('echo'),
      ]);
      expect(containerOf(stackOf(stacks, stack), name)?.Image).toEqual({
        'Fn::Join': ['', ['123456789012.dkr.ecr.eu-west-1.', { Ref: 'AWS::URLSuffix' }, `/platform/${name}@${pinned}`]],
      });
      stackOf(stacks, stack).template.hasResourceProperties('AWS::IAM::Policy', reads(resource));
    },
  );

  it('needs no ingress without the ingress', () => {
    const { registry, agent } = images;
    expect(() => synthesizeWith({ images: { registry, agent }, ingress: 'off' })).not.toThrow();
    expect(() => synthesizeWith({ images: { registry, agent } })).toThrow(
      'The context `images.ingress` must be the digest of the image, sha256: and 64 hexadecimal digits in lower case, got nothing. Only a deployment with `ingress: off` needs no image of the ingress.',
    );
  });

  const registryMust =
    'The context `images.registry` must be the address of a registry, such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com/platform, got';
  const agentMust =
    'The context `images.agent` must be the digest of the image, sha256: and 64 hexadecimal digits in lower case, got';

  it.each<[unknown, string]>([
    ['registry.example.com', 'The context `images` must be a mapping with the keys registry, agent, ingress, got'],
    [{ ...images, worker: digest }, 'The context `images` has no field worker; the fields are registry, agent,'],
    [{ ...images, registry: undefined }, `${registryMust} nothing.`],
    ...['', 'platform', 'https://registry.example.com', 'registry.example.com/', 'a.com/Platform', 'a.com/x:1'].map(
      (registry): [unknown, string] => [{ ...images, registry }, `${registryMust} ${JSON.stringify(registry)}.`],
    ),
    ...[undefined, '1.2', 'sha256:0a', digest.toUpperCase()].map((agent): [unknown, string] => [
      { ...images, agent },
      `${agentMust} ${agent === undefined ? 'nothing' : JSON.stringify(agent)}.`,
    ]),
  ])('cannot be %j', (value, sentence) => {
    const reading = () => imagesOf(scopeWith({ images: value }));
    expect(reading).toThrow(InvalidSetting);
    expect(reading).toThrow(sentence);
  });

  it.each([undefined, ''])('is not set if it is %j', (value) => {
    expect(imagesOf(scopeWith({ images: value }))).toBeUndefined();
  });
});

describe("the agent's Dockerfile", () => {
  const lines = readFileSync('worker/Dockerfile', 'utf8').replaceAll('\\\n', ' ').split('\n');

  const stack = stackWith(staged);

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
