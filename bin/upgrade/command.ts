/** `gpu-endpoints upgrade`: installs another version of the package, and shows what it changes. */
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import type { UpgradeOptions } from './upgrade.ts';

export function addUpgrade(program: Command): void {
  const command = program
    .command('upgrade')
    .description('install another version of this package, and print its changelog and what a deployment would change')
    .argument('[version]', 'version, or anything else that npm installs', 'latest')
    .option('--env <name>', 'environment whose stacks are compared (default: default)');
  withExample(command, 'upgrade 0.2.0 --env prod').action(async (version: string, options: UpgradeOptions) => {
    const { upgrade } = await import('./upgrade.ts');
    process.exitCode = upgrade(process.cwd(), version, options);
  });
}
