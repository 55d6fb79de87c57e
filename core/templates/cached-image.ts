/** Images that Amazon ECR caches: workers pull them from the Region instead of from their registry. */
import { imageParts } from './image-name.ts';
import { templateLimits } from './limits.ts';

/**
 * Prefix of the cached repositories in ECR, by registry: `quay.io` is cached below
 * `123456789012.dkr.ecr.eu-west-1.amazonaws.com/gpu-endpoints/quay.io`.
 */
export type ImageCaches = Readonly<Record<string, string>>;

/** The registry of image names without one. It stores images without a namespace under `library`. */
export const DOCKER_HUB = 'docker.io';
const NAMESPACE = 'library';

/**
 * Returns the name of the image in the cache of its registry. Returns the name unchanged if its registry is not cached,
 * or if the name in the cache would be too long for ECS.
 */
export function cachedImage(caches: ImageCaches, image: string): string {
  const { registry = DOCKER_HUB, path, tag, digest } = imageParts(image);
  if (!Object.hasOwn(caches, registry)) return image;
  const named = registry === DOCKER_HUB && path.length === 1 ? [NAMESPACE, ...path] : path;
  const suffix = `${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  const cached = `${caches[registry]}/${named.join('/')}${suffix}`;
  return cached.length > templateLimits.imageName ? image : cached;
}
