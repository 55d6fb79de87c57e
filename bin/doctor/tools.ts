/** Checks of this machine: Node, the CDK command, and the container engine. */
import type { Finding } from './finding.ts';

/** The lowest version of Node that runs the app's TypeScript without a build and without a flag. */
const NODE = '22.18';

/** @param version such as `v24.1.0` */
export function checkNode(version: string): Finding {
  const check = 'Node';
  const number = version.replace(/^v/, '');
  const found = `The version of Node is ${number}.`;
  if (number.localeCompare(NODE, 'en', { numeric: true }) >= 0) return { check, level: 'ok', found };
  return {
    check,
    level: 'problem',
    found,
    needed: `Node ${NODE} or newer.`,
    fix: 'on Linux, npm ci installs it; on other systems, get it from https://nodejs.org',
  };
}

/**
 * @param wanted the version in package.json, or a range of versions
 * @param installed the installed version, or undefined if the command is not installed
 */
export function checkCli(wanted: string | undefined, installed: string | undefined): Finding {
  const check = 'CDK command';
  const pinned = wanted && /^\d/.test(wanted) ? wanted : undefined;
  if (installed !== undefined && installed === pinned)
    return { check, level: 'ok', found: `aws-cdk ${installed} is installed, as pinned.` };
  // A newer major version of the command may be unable to read the output of the pinned library.
  const [needed, fix] = pinned
    ? [`aws-cdk ${pinned}, as in package.json.`, 'npm ci']
    : ['an exact version of aws-cdk in package.json.', 'npm install --save-dev --save-exact aws-cdk@2'];
  const found = installed ? `aws-cdk ${installed} is installed.` : 'aws-cdk is not installed.';
  return { check, level: installed && !pinned ? 'warning' : 'problem', found, needed, fix };
}

/**
 * Runs a command.
 * @returns whether it exited with 0 within the time limit
 */
export type Run = (command: string, args: readonly string[]) => Promise<boolean>;

/** Engines that can build images, in order of preference. */
const engines = ['docker', 'podman', 'finch'];

/**
 * @param images number of images that a deployment builds
 * @param chosen value of `CDK_DOCKER`, with which the CDK uses an engine other than docker
 */
export async function checkEngine(run: Run, images: number, chosen: string | undefined): Promise<Finding> {
  const check = 'Container engine';
  if (images === 0) return { check, level: 'ok', found: 'No engine is needed, because a deployment builds no images.' };
  const engine = chosen || 'docker';
  if (await run(engine, ['info']))
    return { check, level: 'ok', found: `${engine} answers and can build the ${images} images.` };
  const others = engines.filter((other) => other !== engine);
  const answers = await Promise.all(others.map((other) => run(other, ['info'])));
  const other = others.find((_, index) => answers[index]);
  return {
    check,
    level: 'problem',
    found: `${engine} does not answer${other ? `, but ${other} does` : ''}.`,
    needed: `An engine to build ${images} images. If this machine has none, deploy from a machine or a CI system that has one.`,
    fix: other
      ? `export CDK_DOCKER=${other}`
      : 'start docker, or install podman or finch and set CDK_DOCKER to its name',
  };
}
