/** Container images, built from this repository at deployment and never at synth. */
import { IgnoreMode } from 'aws-cdk-lib';
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import type { Construct } from 'constructs';
import type { EndpointDeclaration } from './endpoint-declaration.ts';
import { repository } from './repository.ts';

/** All that may be part of an image. A change elsewhere leaves the images, and so the running workers, as they are. */
const SOURCES = ['core', 'aws', 'worker', 'package.json', 'package-lock.json', '.npmrc'];

function builtImage(scope: Construct, id: string, folder: string, displayName: string): ContainerImage {
  const asset = new DockerImageAsset(scope, id, {
    displayName,
    directory: repository,
    file: `${folder}/Dockerfile`,
    exclude: ['*', ...[...SOURCES, folder].map((source) => `!${source}`)],
    ignoreMode: IgnoreMode.DOCKER,
    platform: Platform.LINUX_AMD64,
  });
  return ContainerImage.fromDockerImageAsset(asset);
}

/** The agent, which runs beside the user's container in every task. */
export function agentImage(scope: Construct): ContainerImage {
  return builtImage(scope, 'AgentImage', 'worker', 'gpu-endpoints/agent');
}

/** The user's image: built from the declared folder, or pulled from a registry. */
export function workerImage(scope: Construct, { build, image }: EndpointDeclaration): ContainerImage {
  return build ? builtImage(scope, 'WorkerImage', build, image) : ContainerImage.fromRegistry(image);
}
