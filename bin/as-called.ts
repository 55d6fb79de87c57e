/** Names commands in texts for users: as scripts of this repository, or where the package is installed, as its commands. */
import { isBuilt } from '../lib/settings/package-files.ts';

/** A script that is also a command of the package's binary. */
const SCRIPT = /npm (?:run (cost|doctor|promote|remove|stacks|validate|worker)(?![\w:-])|start)(?: --(?= ))?/g;

/** A command of the CDK with the id of a stack, which begins with that of the construct, which each team can choose. */
const STACK = /npx cdk deploy Gpu\//g;

/**
 * Returns the text with `npx gpu-endpoints doctor --json` instead of `npm run doctor -- --json`, and `npx gpu-endpoints dev` instead
 * of `npm start`, where the package is installed. Its `deploy` finds a stack without the id of the construct.
 */
export const asCalled = (text: string, isInstalled: boolean = isBuilt): string =>
  isInstalled
    ? text
        .replace(SCRIPT, (_, script: string | undefined) => `npx gpu-endpoints ${script ?? 'dev'}`)
        .replace(STACK, 'npx gpu-endpoints deploy ')
    : text;
