/** Tests the setting `imageCaches` and its resources. */
import { describe, expect, it } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { IMAGE_CACHES } from '../../../core/releases/task-definition.ts';
import { imageCachesOf } from '../../../lib/capacity/image-caches.ts';
import { declare, stackOf, synthesizeWith } from '../synthesis.ts';

const secret = (name: string) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:ecr-pullthroughcache/${name}`;
const docker = secret('docker-hub-AbCdEf');

function read(imageCaches: unknown) {
  const scope = new RootConstruct();
  scope.node.setContext('imageCaches', imageCaches);
  return imageCachesOf(scope);
}

describe('the setting imageCaches', () => {
  it('is a mapping of registries', () => {
    expect(read({ dockerHub: docker, quay: true })).toEqual({ dockerHub: docker, quay: true });
    expect(read({ dockerHub: docker })).toEqual({ dockerHub: docker, quay: false });
    expect(read(undefined)).toEqual({});
  });

  it.each([
    [{ dockerHub: true }, '`imageCaches.dockerHub` must be the ARN of a secret with the login'],
    [{ ghcr: secret('a').replace('ecr-pullthroughcache', 'other') }, '`imageCaches.ghcr` must be the ARN'],
    [{ quay: docker }, '`imageCaches.quay` must be true or false'],
    [{ gcr: true }, '`imageCaches` has no field gcr; the fields are dockerHub, ghcr, quay'],
    ['quay', '`imageCaches` '],
  ])('is refused as %j', (value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});

describe('a deployment that caches images', () => {
  const stacks = synthesizeWith({ imageCaches: { dockerHub: docker, quay: true } }, [declare('echo')]);
  const fleet = stackOf(stacks, 'Fleet').template;

  it('has a cache for each registry, with the login', () => {
    fleet.hasResourceProperties('AWS::ECR::PullThroughCacheRule', {
      EcrRepositoryPrefix: 'gpu-endpoints/docker.io',
      UpstreamRegistry: 'docker-hub',
      UpstreamRegistryUrl: 'registry-1.docker.io',
      CredentialArn: docker,
    });
    fleet.resourceCountIs('AWS::ECR::PullThroughCacheRule', 2);
    fleet.hasResourceProperties('AWS::ECR::RepositoryCreationTemplate', {
      Prefix: 'gpu-endpoints',
      AppliedFor: ['PULL_THROUGH_CACHE'],
    });
  });

  it('gives the caches to the blueprint of each endpoint, and lets its workers fill them', () => {
    const { text } = stackOf(stacks, 'Endpoint-echo');
    expect(text).toContain(IMAGE_CACHES);
    expect(text).toContain('/gpu-endpoints/docker.io');
    expect(text).toContain('ecr:BatchImportUpstreamImage');
  });

  it('lets workers pull from the caches, although `imageRepositories` permits other repositories only', () => {
    const settings = { imageCaches: { quay: true }, imageRepositories: 'models/*' };
    const { template } = stackOf(synthesizeWith(settings, [declare('echo')]), 'Endpoint-echo');
    const statements = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement as { Action: unknown; Resource: unknown }[],
    );
    const pulling = statements.filter(({ Resource }) =>
      JSON.stringify(Resource).includes(':repository/gpu-endpoints/*'),
    );
    expect(JSON.stringify(pulling)).toContain('ecr:BatchGetImage');
  });

  it('has repositories of its own, also if its name is long', () => {
    const prefixes = ['one', 'two'].map((end) => {
      const settings = { deployment: `a-very-long-deployment-name-${end}`, imageCaches: { quay: true } };
      const { template } = stackOf(synthesizeWith(settings), 'Fleet');
      const [rule] = Object.values(template.findResources('AWS::ECR::PullThroughCacheRule'));
      return String(rule?.Properties.EcrRepositoryPrefix);
    });
    expect(new Set(prefixes).size).toBe(2);
    for (const prefix of prefixes) {
      expect(prefix.length).toBeLessThanOrEqual(30);
      expect(prefix).toMatch(/^a-very-long-[a-z0-9-]*\/quay\.io$/);
    }
  });
});

it('a deployment without the setting has no cache and no right to fill one', () => {
  const stacks = synthesizeWith({}, [declare('echo')]);
  stackOf(stacks, 'Fleet').template.resourceCountIs('AWS::ECR::PullThroughCacheRule', 0);
  expect(stackOf(stacks, 'Endpoint-echo').text).not.toMatch(/image-caches|BatchImport/);
});
