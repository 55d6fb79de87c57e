/** Container images: built at deployment and never at synthesis, or pulled from a registry. */
import { IgnoreMode } from 'aws-cdk-lib';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { ecrRepositoryOf } from '../../core/templates/ecr-image.ts';
import { builtFile, isBuilt, packageFolder } from '../settings/package-files.ts';
import { imagesOf } from './images-setting.ts';
import { explain } from './reasons.ts';

/** Files beside the folder of a Dockerfile that the packages of an image depend on. */
const PACKAGES = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * The sources of the images of this repository, in addition to folders of their own. Changes to other files do not
 * change the images, and so do not replace workers.
 */
const SOURCES = ['core', 'aws', ...PACKAGES];

interface BuiltImage {
  readonly displayName: string;
  /** Folder of the build context. */
  readonly directory: string;
  /** Path of the Dockerfile in this folder. */
  readonly file: string;
  /** Files and folders of the image, relative to the folder. */
  readonly sources: readonly string[];
  /** @default - the platform of workers */
  readonly platform?: Platform;
}

/** Set by `npm start`, which builds no image, so that the sources of images are not copied into the assembly. */
const NOT_COPIED = 'images:not-copied';

/** Returns the scope of an image. The sources of an image have the same hash whether they are copied or not. */
function scopeOfImage(scope: Construct, id: string): Construct {
  if (scope.node.getAllContext()[NOT_COPIED] !== true) return scope;
  const own = new Construct(scope, `${id}Sources`);
  own.node.setContext(DISABLE_ASSET_STAGING_CONTEXT, true);
  return own;
}

const builtImage = (scope: Construct, id: string, { displayName, directory, file, sources, platform }: BuiltImage) =>
  new DockerImageAsset(scopeOfImage(scope, id), id, {
    displayName,
    directory,
    file,
    exclude: ['*', ...sources.map((source) => `!${source}`)],
    ignoreMode: IgnoreMode.DOCKER,
    platform: platform ?? Platform.LINUX_AMD64,
  });

/**
 * Returns where the image of a program of this package is built from: its sources, or the program that an installed
 * package has in one file.
 * @param folder folder of the program and its Dockerfile
 */
function ownImage(folder: string, name: string): Pick<BuiltImage, 'directory' | 'file' | 'sources'> {
  if (isBuilt) return { directory: builtFile('images', name), file: 'Dockerfile', sources: ['*'] };
  return { directory: packageFolder, file: `${folder}/Dockerfile`, sources: [...SOURCES, folder] };
}

/** Returns an image from a registry. For an image in Amazon ECR, also lets the role of a task read the repository. */
function pulledImage(scope: Construct, id: string, image: string): ContainerImage {
  const its = ecrRepositoryOf(image);
  if (its === undefined) return ContainerImage.fromRegistry(image);
  const { account, region, name } = its;
  const repositoryArn = `arn:${region.startsWith('cn-') ? 'aws-cn' : 'aws'}:ecr:${region}:${account}:repository/${name}`;
  const pulled = Repository.fromRepositoryAttributes(scope, id, { repositoryArn, repositoryName: name });
  return ContainerImage.fromEcrRepository(
    pulled,
    image
      .split(`/${name}`)
      .at(1)
      ?.replace(/^:(?:.*@)?|^@/, ''),
  );
}

/**
 * Returns the image of the agent, which runs beside the user's container in every task: built here, or the one of the
 * setting `images`.
 * @throws InvalidSetting
 */
export function agentImage(scope: Construct): ContainerImage {
  const images = imagesOf(scope);
  if (images) return pulledImage(scope, 'AgentImage', images.agent);
  const agent = { ...ownImage('worker', 'agent'), displayName: 'gpu-endpoints/agent' };
  return ContainerImage.fromDockerImageAsset(builtImage(scope, 'AgentImage', agent));
}

/**
 * Returns the image of the ingress, which runs on Graviton: built here, or the one of the setting `images`.
 * @throws InvalidSetting
 */
export function ingressImage(scope: Construct): ContainerImage {
  const images = imagesOf(scope);
  if (images) return pulledImage(scope, 'Image', images.ingress());
  const own = ownImage('ingress', 'ingress');
  const ingress = { ...own, displayName: 'gpu-endpoints/ingress', platform: Platform.LINUX_ARM64 };
  return ContainerImage.fromDockerImageAsset(builtImage(scope, 'Image', ingress));
}

export const ECR_PULL = ['BatchCheckLayerAvailability', 'BatchGetImage', 'GetDownloadUrlForLayer'] as const;

/** Why permissions to pull images are unused on a laptop. */
export const NO_IMAGES = 'On a laptop, containers are processes, and no image is pulled.';

/** Explains what CDK grants an execution role: writing logs, and pulling images that a deployment has built. */
export function explainExecutionRole(role: IGrantable): void {
  explain(role, 'logs', ['CreateLogStream', 'PutLogEvents'], 'its log group', {
    reason: 'ECS writes the output of the containers.',
    unused: 'On a laptop, the program that starts the containers stores their output.',
  });
  explain(role, 'ecr', ECR_PULL, 'repository of the images', {
    reason: 'ECS pulls the images that the deployment has built.',
    unused: NO_IMAGES,
  });
  explain(role, 'ecr', ['GetAuthorizationToken'], 'no resource', {
    reason: 'ECS logs in to the registry. IAM has no narrower resource.',
    unused: NO_IMAGES,
  });
}

export interface UserImage {
  /** Name of the image in a registry. With `build`, this name is only displayed. */
  readonly image: string;
  /** Folder of a Dockerfile, relative to the folder of the app, in which a synthesis runs. */
  readonly build?: string | undefined;
}

/**
 * The examples of this repository are built from the sources of the worker SDK, which other apps install: from a registry,
 * or from a tarball in their folder.
 */
const sdkSources = () => (process.cwd() === packageFolder ? [...SOURCES, 'worker'] : [...PACKAGES, '*.tgz']);

/**
 * Returns the `imageName` of a template. The deployment builds the image before it deploys the stack, so the name is
 * known.
 */
export function userImage(scope: Construct, { build, image }: UserImage): string {
  if (build === undefined) return image;
  const context = { directory: process.cwd(), file: `${build}/Dockerfile`, sources: [...sdkSources(), build] };
  return builtImage(scope, 'WorkerImage', { ...context, displayName: image }).imageUri;
}

/**
 * Returns the command of a container's health check: a GET request to a port of the container must return 2xx. The
 * images of the project have Node.js, and no other program that sends requests.
 */
export const healthCommand = (port: number, path: string): string[] => [
  'CMD',
  'node',
  '-e',
  `fetch('http://127.0.0.1:${port}${path}').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`,
];
