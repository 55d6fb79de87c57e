/**
 * The setting `imageCaches`: registries whose images Amazon ECR caches. Workers then pull from the Region, and not
 * through the NAT gateway.
 */
import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import { CfnPullThroughCacheRule, CfnRepositoryCreationTemplate } from 'aws-cdk-lib/aws-ecr';
import { Grant, type IRole } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { DOCKER_HUB, type ImageCaches } from '../../core/templates/cached-image.ts';
import { acknowledgeGrant } from '../constructs/acknowledge.ts';
import { ECR_PULL, NO_IMAGES } from '../constructs/images.ts';
import { explain } from '../constructs/reasons.ts';
import { fieldTexts, NOT_ON_COMMAND_LINE, type Setting } from '../settings/field-text.ts';
import { deploymentOf, parseSetting } from '../settings/settings.ts';

const SETTING = 'imageCaches';

/** Fields of the setting: the registries by their names in images, what ECR calls them, and where it pulls from. */
const registries = {
  dockerHub: {
    registry: DOCKER_HUB,
    upstream: { upstreamRegistry: 'docker-hub', upstreamRegistryUrl: 'registry-1.docker.io' },
  },
  ghcr: {
    registry: 'ghcr.io',
    upstream: { upstreamRegistry: 'github-container-registry', upstreamRegistryUrl: 'ghcr.io' },
  },
  quay: { registry: 'quay.io', upstream: { upstreamRegistry: 'quay', upstreamRegistryUrl: 'quay.io' } },
} as const;
type Field = keyof typeof registries;

const SECRET = /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:ecr-pullthroughcache\/[\w/+=.@-]+$/;
const secretMust =
  'must be the ARN of a secret with the login, whose name begins with ecr-pullthroughcache/, in the Region of the stacks';
const guide = 'imageCaches';

const login = (whose: string) =>
  z.optional(z.string(secretMust).check(z.regex(SECRET, secretMust))).register(fieldTexts, {
    description: `Caches images of ${whose}; the value is the ARN of the secret with the login, without which ECR pulls nothing from it.`,
    without: 'not cached',
    guide,
  });

const schema = z.strictObject({
  dockerHub: login('Docker Hub, also those whose names have no registry'),
  ghcr: login("GitHub's registry ghcr.io"),
  quay: z._default(z.boolean('must be true or false'), false).register(fieldTexts, {
    description: 'Caches public images of quay.io, which needs no login.',
    guide,
  }),
});

type ImageCacheSettings = Partial<z.output<typeof schema>>;

/**
 * Reads the context `imageCaches`.
 * @returns an empty object if no registry is cached
 * @throws InvalidSetting with all problems
 */
export function imageCachesOf(scope: IConstruct): ImageCacheSettings {
  const value: unknown = scope.node.tryGetContext(SETTING);
  return value === undefined || value === '' ? {} : parseSetting(SETTING, schema, value);
}

export const imageCachesSetting: Setting = {
  read: imageCachesOf,
  text: {
    description: 'Registries whose images Amazon ECR caches, so that workers pull them from the Region.',
    type: 'mapping',
    without: 'workers pull images from their registries, through the NAT gateway',
    allowed: `a mapping with any of the keys ${Object.keys(registries).join(', ')}`,
    condition: NOT_ON_COMMAND_LINE,
    guide,
  },
  fields: [schema],
};

/** Maximum length of the prefix of cached repositories, and of the part before the registry. */
const MAX_OWN_LENGTH = 30 - 1 - Math.max(...Object.values(registries).map(({ registry }) => registry.length));
const HASH = 6;

/** Returns the part of the names of cached repositories that is different for each deployment. */
function ownPrefix(scope: IConstruct): string {
  const deployment = deploymentOf(scope);
  if (deployment.length <= MAX_OWN_LENGTH) return deployment;
  const hash = createHash('sha256').update(deployment).digest('hex').slice(0, HASH);
  return `${deployment.slice(0, MAX_OWN_LENGTH - HASH - 1).replace(/-$/, '')}-${hash}`;
}

interface Cache {
  readonly field: Field;
  /** Prefix of its repositories. */
  readonly prefix: string;
  /**
   * ARN of the secret with the login.
   * @default - the registry needs none
   */
  readonly credentialArn?: string;
}

function cachesIn(scope: IConstruct): Cache[] {
  const settings = Object.entries(imageCachesOf(scope)) as [Field, string | boolean | undefined][];
  return settings.flatMap(([field, value]) => {
    if (value === undefined || value === false) return [];
    const prefix = `${ownPrefix(scope)}/${registries[field].registry}`;
    return [{ field, prefix, ...(typeof value === 'string' && { credentialArn: value }) }];
  });
}

/** Returns the repositories of the caches by registry, or undefined if no registry is cached. */
export function cacheRepositories(scope: IConstruct): ImageCaches | undefined {
  const { account, region, urlSuffix } = Stack.of(scope);
  const caches = cachesIn(scope).map(({ field, prefix }) => [
    registries[field].registry,
    `${account}.dkr.ecr.${region}.${urlSuffix}/${prefix}`,
  ]);
  return caches.length > 0 ? (Object.fromEntries(caches) as ImageCaches) : undefined;
}

/** Number of images that each cached repository keeps. ECR pulls an image again that it has deleted. */
const KEPT = 10;

/** The caches of images. ECR creates a repository when a worker pulls an image for the first time. */
export class ImageCacheRules extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const caches = cachesIn(this);
    if (caches.length === 0) return;
    for (const { field, prefix, ...login } of caches)
      new CfnPullThroughCacheRule(this, field, {
        ecrRepositoryPrefix: prefix,
        ...registries[field].upstream,
        ...login,
      });
    const keepNewest = {
      rulePriority: 1,
      description: `Keeps the ${KEPT} newest images.`,
      selection: { tagStatus: 'any', countType: 'imageCountMoreThan', countNumber: KEPT },
      action: { type: 'expire' },
    };
    new CfnRepositoryCreationTemplate(this, 'Repositories', {
      prefix: ownPrefix(this),
      appliedFor: ['PULL_THROUGH_CACHE'],
      description: 'Repositories with images that gpu-endpoints caches.',
      lifecyclePolicy: JSON.stringify({ rules: [keepNewest] }),
    });
  }
}

const FILL = ['BatchImportUpstreamImage', 'CreateRepository'] as const;

/**
 * Lets ECS pull images from the caches, also if `imageRepositories` does not name them, and add an image to a cache when a
 * worker pulls it for the first time.
 */
export function grantCaches(executionRole: IRole): void {
  if (cacheRepositories(executionRole) === undefined) return;
  const arnOf = (partition: string, region: string, account: string) =>
    `arn:${partition}:ecr:${region}:${account}:repository/${ownPrefix(executionRole)}/*`;
  const { partition, region, account } = Stack.of(executionRole);
  Grant.addToPrincipal({
    grantee: executionRole,
    actions: [...ECR_PULL, ...FILL].map((action) => `ecr:${action}`),
    resourceArns: [arnOf(partition, region, account)],
  }).assertSuccess();
  explain(executionRole, 'ecr', FILL, 'cached repositories', {
    reason:
      'ECR adds an image to the cache when a worker pulls it for the first time, with the permissions of the puller.',
    unused: NO_IMAGES,
  });
  acknowledgeGrant(executionRole, {
    [`IAM5[Resource::${arnOf('<AWS::Partition>', '<AWS::Region>', '<AWS::AccountId>')}]`]:
      'Templates name images at run time. Only repositories of the caches have this prefix.',
  });
}
