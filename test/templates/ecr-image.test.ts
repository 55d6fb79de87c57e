import { describe, expect, it } from '@jest/globals';
import { ecrRepositoryOf, pullRefusal } from '../../core/templates/ecr-image.ts';

const REGISTRY = '123456789012.dkr.ecr.eu-west-1.amazonaws.com';
const digest = `sha256:${'0a'.repeat(32)}`;

describe('an image in Amazon ECR', () => {
  it.each([
    [`${REGISTRY}/worker`, 'worker'],
    [`${REGISTRY}/team/worker:1.2`, 'team/worker'],
    [`${REGISTRY}/team/worker:1.2@${digest}`, 'team/worker'],
    [`123456789012.dkr.ecr-fips.eu-west-1.amazonaws.com/a@${digest}`, 'a'],
    ['123456789012.dkr-ecr.eu-west-1.on.aws/a:1', 'a'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.com.cn/a:1', 'a'],
    ['123456789012.dkr-ecr.eu-west-1.on.amazonwebservices.com.cn/a:1', 'a'],
    ['123456789012.dkr.ecr.eu-west-1.amazonaws.eu/a:1', 'a'],
    [`${REGISTRY}:443/a:1`, 'a'],
    ['123456789012.DKR.ECR.EU-WEST-1.AmazonAWS.com/a:1', 'a'],
  ])('is recognized: %s', (image, name) => {
    expect(ecrRepositoryOf(image)).toEqual({ account: '123456789012', region: 'eu-west-1', name });
  });

  it.each([
    'worker',
    'team/worker:1.2',
    'public.ecr.aws/team/worker:1',
    'ghcr.io/team/worker:1',
    `example.com/${REGISTRY}/worker:1`,
    '12345.dkr.ecr.eu-west-1.amazonaws.com/worker',
  ])('is not %s, which workers pull without a role', (image) => {
    expect(ecrRepositoryOf(image)).toBeUndefined();
    expect(pullRefusal(image, [])).toBeUndefined();
  });
});

describe('an image of a repository', () => {
  it.each<[string, readonly string[]]>([
    ['models/llama:1', [`${REGISTRY}/*`]],
    ['models/llama:1', [`${REGISTRY}/models/*`]],
    ['models/llama:1', [`${REGISTRY}/other`, `${REGISTRY}/models/llama`]],
  ])('can be pulled: %s from %j', (rest, repositories) => {
    expect(pullRefusal(`${REGISTRY}/${rest}`, repositories)).toBeUndefined();
  });

  it('can be pulled by each address of its registry', () => {
    expect(pullRefusal('123456789012.dkr-ecr.eu-west-1.on.aws/models/llama:1', [`${REGISTRY}/models/*`])).toBe(
      undefined,
    );
  });

  it.each<[string, readonly string[]]>([
    [`${REGISTRY}/models/llama:1`, [`${REGISTRY}/models`]],
    [`${REGISTRY}/models:1`, [`${REGISTRY}/models/*`]],
    [`${REGISTRY}/models2/llama:1`, [`${REGISTRY}/models/*`]],
    ['210987654321.dkr.ecr.eu-west-1.amazonaws.com/models/llama:1', [`${REGISTRY}/*`]],
    ['123456789012.dkr.ecr.us-east-1.amazonaws.com/models/llama:1', [`${REGISTRY}/*`]],
  ])('cannot be pulled: %s from %j', (image, repositories) => {
    expect(pullRefusal(image, repositories)).toContain(
      `(${repositories.join(', ')}) or in another registry, got ${image}`,
    );
  });
});
