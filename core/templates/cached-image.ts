/** Images that Amazon ECR caches: workers pull them from the Region instead of from their registry. */
import { imageParts } from './image-name.ts';

/**
 * Repositories of a cache by registry: `quay.io` is cached below
 * `123456789012.dkr.ecr.eu-west-1.amazonaws.com/gpu-endpoints/quay.io`.
 */
export type ImageCaches = Readonly<Record<string, string>>;

/** The registry of names without one. Its images without a namespace are those of Docker. */
export const DOCKER_HUB = 'docker.io';
const NAMESPACE = 'library';

/** Maximum length of the name of an image in ECS, in characters. */
const MAX_LENGTH = 255;

/** Returns the name of the image in the cache of its registry, or its own name if no cache has it. */
export function cachedImage(caches: ImageCaches, image: string): string {
  const { registry = DOCKER_HUB, path, tag, digest } = imageParts(image);
  if (!Object.hasOwn(caches, registry)) return image;
  const named = registry === DOCKER_HUB && path.length === 1 ? [NAMESPACE, ...path] : path;
  const suffix = `${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
  const cached = `${caches[registry]}/${named.join('/')}${suffix}`;
  return cached.length > MAX_LENGTH ? image : cached;
}
