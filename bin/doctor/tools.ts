/** Checks of this machine: Node, the CDK command, and the container engine. */
import type { Finding } from './finding.ts';

/** The first version of Node that runs the app's TypeScript without a build. */
const NODE = 24;

/** @param version such as `v24.1.0` */
export function checkNode(version: string): Finding {
  const check = 'Node';
  const found = `This is Node ${version.replace(/^v/, '')}.`;
  if (Number(/^v(\d+)/.exec(version)?.[1]) >= NODE) return { check, level: 'ok', found };
  return {
    check,
    level: 'problem',
    found,
    needed: `Node ${NODE} or newer.`,
    fix: 'npm ci installs it on Linux; elsewhere https://nodejs.org',
  };
}

/** @param installed undefined without an installed command */
export function checkCli(pinned: string, installed: string | undefined): Finding {
  const check = 'CDK command';
  if (installed === pinned) return { check, level: 'ok', found: `aws-cdk ${installed} is installed, as pinned.` };
  const found = installed ? `aws-cdk ${installed} is installed.` : 'aws-cdk is not installed.';
  // Newer major versions of the command may not read what the pinned library writes.
  return { check, level: 'problem', found, needed: `aws-cdk ${pinned}, as in package.json.`, fix: 'npm ci' };
}

/** Runs a command. @returns whether it ended with 0 within the limit */
export type Run = (command: string, args: readonly string[]) => Promise<boolean>;

/** Engines that can build images, in the order of the search. */
const engines = ['docker', 'podman', 'finch'];

/**
 * @param images how many are built at deployment
 * @param chosen `CDK_DOCKER`, by which the CDK finds another engine than docker
 */
export async function checkEngine(run: Run, images: number, chosen: string | undefined): Promise<Finding> {
  const check = 'Container engine';
  if (images === 0) return { check, level: 'ok', found: 'No image is built at deployment, so none is needed.' };
  const engine = chosen || 'docker';
  if (await run(engine, ['info']))
    return { check, level: 'ok', found: `${engine} answers, to build ${images} images.` };
  const others = engines.filter((other) => other !== engine);
  const answers = await Promise.all(others.map((other) => run(other, ['info'])));
  const other = others.find((_, index) => answers[index]);
  return {
    check,
    level: 'problem',
    found: `${engine} does not answer${other ? `, but ${other} does` : ''}.`,
    needed: `An engine to build ${images} images with; without one here, deploy from a machine or a CI that has one.`,
    fix: other ? `export CDK_DOCKER=${other}` : 'start docker, or install podman or finch and name it in CDK_DOCKER',
  };
}
