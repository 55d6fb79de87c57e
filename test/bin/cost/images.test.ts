/** Tests what `npx gpu-endpoints cost estimate` says about images that come through the NAT gateway. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Template } from '../../../bin/assembly/app.ts';
import { renderStanding } from '../../../bin/cost/tables.ts';
import { dollars } from '../../../bin/pages/aligned-table.ts';
import { readPrices } from '../../../lib/prices/prices.ts';
import { declare, declarePool, synthesizeWith } from '../../lib/synthesis.ts';
import { bill, billAt, endpoint, gpuTask, onPool, pool, resource } from './small-stacks.ts';

/** An endpoint on a pool with this template. */
function withTemplate(properties: object): Readonly<Record<string, Template>> {
  const llm = endpoint(0, gpuTask, onPool);
  const used = resource('Custom::EndpointTemplate', { endpoint: 'llm', ...properties });
  return { Fleet: pool('g5.xlarge'), 'Endpoint-llm': { ...llm, Resources: { ...llm.Resources, Used: used } } };
}

/** The stacks of two endpoints, on Fargate and on a pool. */
const templatesWith = (settings: object) => {
  const endpoints = [declare('echo'), declare('gpu', { capacity: 'nvidia' })];
  const stacks = Object.entries(synthesizeWith(settings, endpoints, [declarePool('nvidia')]));
  return Object.fromEntries(stacks.map(([stack, { text }]) => [stack, JSON.parse(text) as Template]));
};

const withImage = (imageName: unknown) => withTemplate({ carried: { imageName } });
/** A reference to a pseudo parameter of CloudFormation. */
const ref = (name: string) => `$\{AWS::${name}}`;
const ECR = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/llm:1';

describe('an image outside of Amazon ECR', () => {
  it.each(['vllm/vllm-openai:v0.23.0', 'ghcr.io/team/worker:1', 'public.ecr.aws/team/worker:1'])(
    'costs $0.045 for each GB of a new instance, which is $0.68 for 15 GB: %s',
    (image) => {
      const text = renderStanding(bill(withImage(image)));
      expect(text.replaceAll(/ +/g, ' ')).toContain(`| \`llm\` | ${image} | instance | 0.045 | 0.68 |`);
    },
  );

  it('is pulled by each new worker on Fargate, which keeps no images, and by each new instance of a pool', () => {
    expect(bill(templatesWith({})).pulls).toEqual([
      { endpoint: 'echo', image: 'team/worker:1.2', pulledBy: 'worker', perGb: 0.045 },
      { endpoint: 'gpu', image: 'team/worker:1.2', pulledBy: 'instance', perGb: 0.045 },
    ]);
  });

  it('has no line if the deployment caches its registry, and the image has no login', () => {
    const cached = (imageName: string, containerRegistryAuthId?: string) => {
      const stacks = withTemplate({
        carried: { imageName, ...(containerRegistryAuthId && { containerRegistryAuthId }) },
      });
      const rule = resource('AWS::ECR::PullThroughCacheRule', { EcrRepositoryPrefix: 'gpu-endpoints/docker.io' });
      return bill({ ...stacks, Caches: { Resources: { Rule: rule } } }).pulls.map(({ image }) => image);
    };
    expect(cached('team/worker:1.2')).toEqual([]);
    expect(cached('team/worker:1.2', 'login')).toEqual(['team/worker:1.2']);
    expect(cached('ghcr.io/team/worker:1.2')).toEqual(['ghcr.io/team/worker:1.2']);
    const login = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:ecr-pullthroughcache/docker-hub-AbCdEf';
    expect(bill(templatesWith({ imageCaches: { dockerHub: login } })).pulls).toEqual([]);
  });

  it('can be that of a template, also of a template that is not in the stacks', () => {
    const named = withTemplate({ named: 'official' });
    const settings = { imageName: 'team/official:1' };
    const official = { Resources: { Official: resource('Custom::Template', { id: 'official', settings }) } };
    expect(bill({ ...named, Templates: official }).pulls).toMatchObject([{ image: 'team/official:1' }]);
    expect(bill(named).pulls).toMatchObject([{ image: 'of template official' }]);
  });
});

it('agrees with the figures of the guide for capacity and of the page of costs', () => {
  const { perGb, perMonth } = readPrices();
  const { diskInGb, diskThroughput } = declarePool('nvidia');
  // The disk has 30 GB for the system, and AWS includes 125 MiB/s.
  const disk = (diskInGb + 30) * perGb.diskMonth.price + (diskThroughput - 125) * perMonth.diskThroughput.price;
  const pull = dollars(15 * perGb.natProcessed.price);
  const guide = readFileSync('docs/guides/capacity.md', 'utf8').replaceAll('\n', ' ');
  expect(guide).toContain(`for $${perGb.natProcessed.price} per GB in us-east-1`);
  expect(guide).toContain(`An image of 15 GB therefore costs $${pull} for each new instance`);
  expect(guide).toContain(`which is $${dollars(15 * perGb.imageMonth.price)} for this image`);
  expect(readFileSync('docs/reference/costs.md', 'utf8')).toContain(`$${dollars(disk)} a month`);
});

describe('an image in Amazon ECR', () => {
  it.each([
    ECR,
    '123456789012.dkr-ecr.eu-west-1.on.aws/llm:1',
    { 'Fn::Sub': `${ref('AccountId')}.dkr.ecr.${ref('Region')}.${ref('URLSuffix')}/assets:01234567` },
  ])('does not come through the NAT gateway, and has no line: %j', (image) => {
    expect(bill(withImage(image)).pulls).toEqual([]);
  });

  it('has a line only if it is in another Region than the deployment', () => {
    expect(billAt('eu-west-1', withImage(ECR)).pulls).toEqual([]);
    expect(billAt('us-east-1', withImage(ECR)).pulls).toMatchObject([{ image: ECR }]);
  });
});
