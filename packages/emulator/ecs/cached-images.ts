/** Names of images in pull-through caches of Amazon ECR. */

/** Addresses of registries by the prefix of the repositories that cache their images. */
export type ImageCaches = ReadonlyMap<string, string>;

const ECR_HOST = /^\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\//;
const DOCKER_HUB = 'registry-1.docker.io';
const DOCKER_NAMESPACE = 'library/';

/** Returns the name of a cached image in its registry, or undefined if no cache has the image. */
export function upstreamName(caches: ImageCaches, image: string): string | undefined {
  const path = image.replace(ECR_HOST, '');
  if (path === image) return undefined;
  for (const [prefix, registry] of caches) {
    if (!path.startsWith(`${prefix}/`)) continue;
    const name = path.slice(prefix.length + 1);
    if (registry !== DOCKER_HUB) return `${registry}/${name}`;
    return name.startsWith(DOCKER_NAMESPACE) ? name.slice(DOCKER_NAMESPACE.length) : name;
  }
  return undefined;
}
