/** Tests the names of images in the caches of Amazon ECR. */
import { describe, expect, it } from '@jest/globals';
import { cachedImage } from '../../core/templates/cached-image.ts';

const ecr = '111122223333.dkr.ecr.eu-west-1.amazonaws.com/gpu-endpoints';
const caches = { 'docker.io': `${ecr}/docker.io`, 'quay.io': `${ecr}/quay.io` };
const digest = `sha256:${'a'.repeat(64)}`;

describe('the name of an image in a cache', () => {
  it.each([
    ['vllm/vllm-openai:v0.23.0', `${ecr}/docker.io/vllm/vllm-openai:v0.23.0`],
    ['docker.io/vllm/vllm-openai:v0.23.0', `${ecr}/docker.io/vllm/vllm-openai:v0.23.0`],
    ['nginx', `${ecr}/docker.io/library/nginx`],
    ['nginx:1.27', `${ecr}/docker.io/library/nginx:1.27`],
    [`quay.io/team/worker@${digest}`, `${ecr}/quay.io/team/worker@${digest}`],
    [`quay.io/team/worker:1.2@${digest}`, `${ecr}/quay.io/team/worker:1.2@${digest}`],
  ])('of %s is %s', (image, cached) => {
    expect(cachedImage(caches, image)).toBe(cached);
  });

  it.each(['ghcr.io/team/worker:1.2', 'localhost:5000/worker', `${ecr}/built:a1b2`, 'constructor.example.com/a'])(
    'does not exist for %s, whose registry is not cached',
    (image) => {
      expect(cachedImage(caches, image)).toBe(image);
    },
  );

  it('does not exist if it would be longer than ECS accepts', () => {
    const image = `quay.io/${'a'.repeat(220)}`;
    expect(cachedImage(caches, image)).toBe(image);
  });
});
