/** Finds the images of workers that instances pull through a NAT gateway, which charges by GB. */

import { DOCKER_HUB } from '../../core/templates/cached-image.ts';
import { imageParts } from '../../core/templates/image-name.ts';
import type { Prices } from '../../lib/prices/prices.ts';
import { type App, isValues, type Resource } from '../assembly/app.ts';
import { placeOf } from '../assembly/workers.ts';

export interface ImagePull {
  readonly endpoint: string;
  /** Name of the image, or of a template that is not in the stacks. */
  readonly image: string;
  /** What pulls the image when it starts. On a pool, an instance keeps the image for its later workers. */
  readonly pulledBy: 'instance' | 'worker';
  /** US dollars for a GB of the compressed image. */
  readonly perGb: number;
}

/** The Region of a private registry of Amazon ECR, at each of its addresses. */
const PRIVATE_REGISTRY = /\.dkr[.-]ecr(?:-fips)?\.([^.]+)\./;

/**
 * Returns whether the layers of an image come through the gateway endpoint of S3, which is free. The endpoint serves
 * only the Region of the deployment. If a deployment does not set its Region, it is that of the image.
 */
function isInRegion({ deployment: { place } }: App, image: string): boolean {
  const [, region] = PRIVATE_REGISTRY.exec(image) ?? [];
  if (region === undefined) return false;
  return place === undefined || region.startsWith('${') || region === place.region;
}

/** Returns whether workers pull the image from a cache, which is named after its registry. */
function isCached({ resources }: App, image: string, login: unknown): boolean {
  // A cache has no image with a login of its own.
  if (login !== undefined) return false;
  const { registry = DOCKER_HUB } = imageParts(image);
  const rules = resources.filter(({ type }) => type === 'AWS::ECR::PullThroughCacheRule');
  return rules.some(({ properties }) => String(properties.EcrRepositoryPrefix).endsWith(`/${registry}`));
}

interface TemplateImage {
  readonly image: string;
  readonly isInCache?: boolean;
}

/** Returns the image as a string. The name of an image that a deployment builds contains references. */
function imageOf(app: App, { properties: { carried, named } }: Resource): TemplateImage {
  const template = app.resources.find(({ type, properties }) => type === 'Custom::Template' && properties.id === named);
  const settings = named === undefined ? carried : template?.properties.settings;
  if (!isValues(settings)) return { image: `of template ${String(named)}` };
  const { imageName, containerRegistryAuthId } = settings;
  if (typeof imageName !== 'string') return { image: JSON.stringify(imageName) };
  return { image: imageName, isInCache: isCached(app, imageName, containerRegistryAuthId) };
}

/** Returns one line for each endpoint whose image is neither in Amazon ECR in the deployment's Region nor cached there. */
export function imagePulls(app: App, { perGb }: Prices): ImagePull[] {
  return app.resources.flatMap((resource) => {
    if (resource.type !== 'Custom::EndpointTemplate') return [];
    const { image, isInCache } = imageOf(app, resource);
    if (isInCache || isInRegion(app, image)) return [];
    const service = app.resources.find(({ type, stack }) => type === 'AWS::ECS::Service' && stack === resource.stack);
    const isOnPool = service !== undefined && placeOf(app, service).group !== undefined;
    const pulledBy = isOnPool ? 'instance' : 'worker';
    return [{ endpoint: String(resource.properties.endpoint), image, pulledBy, perGb: perGb.natProcessed.price }];
  });
}
