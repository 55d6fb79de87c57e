/** Describes `gpu-endpoints remove` and `promote`. */
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { ofStacks, type PromoteFlags, printing, type RemoveFlags } from './options.ts';

const CALLS = `First the command shows what it deletes, what it waits for and what it keeps, and asks. It prints each deleted
resource, and can be interrupted and repeated at any time: CloudFormation continues, and the next run waits for what
is being deleted, repeats what has failed, and skips what is gone. With --json, it removes nothing, and exits with 1
if there are refusals. Without a terminal and without --yes, it only shows what it would do, and exits with 2.

The command calls these AWS actions: sts:GetCallerIdentity; cloudformation:DescribeStacks, ListStacks,
ListStackResources, GetTemplate, DescribeStackEvents, DeleteStack and UpdateTerminationProtection;
autoscaling:DescribeAutoScalingGroups; dynamodb:Scan and DescribeTable; ec2:DescribeNetworkInterfaces and
DescribeSecurityGroups. CloudFormation deletes the resources with the role that deployed them.`;

const removal = (command: Command, example: string, notes: string) =>
  ofStacks(
    command
      .option('-y, --yes', 'ask nothing')
      .option('--force', 'also remove endpoints that have jobs: running jobs stop, and waiting jobs do not start'),
    `remove ${example}`,
    `${notes && `${notes}\n\n`}${CALLS}`,
  );

export function addRemove(program: Command): void {
  const remove = withExample(
    program.command('remove').description('remove an endpoint, a pool or a deployment in the right order'),
    'remove endpoint echo --env test',
  );
  removal(
    remove
      .command('endpoint')
      .description('delete the stack of an endpoint, whether it is declared or not')
      .argument('<name>', 'id of the endpoint'),
    'endpoint echo',
    '',
  ).action(async (name: string, flags: RemoveFlags) => {
    const { removeNamed } = await import('../remove.ts');
    await removeNamed('endpoint', name, flags);
  });
  removal(
    remove
      .command('pool')
      .description('wait until no instance of a pool is left, and print how to remove it from the stack Fleet')
      .argument('<name>', 'name of the pool'),
    'pool l4',
    'The command refuses while endpoints use the pool.',
  ).action(async (name: string, flags: RemoveFlags) => {
    const { removeNamed } = await import('../remove.ts');
    await removeNamed('pool', name, flags);
  });
  removal(
    remove
      .command('deployment')
      .description('delete all endpoints and the other stacks of a deployment, and keep its data')
      .option('--with-storage <deployment>', 'also delete the stack Storage of this deployment, and keep its data'),
    'deployment --env test --yes --with-storage gpu-endpoints-test',
    `Deletes all endpoints, some at a time, then Templates and Management, waits until no pool has an instance, and deletes
Platform and Fleet. It keeps Storage, unless you type the name of the deployment. Tables, the bucket, the key, the
file system and the user pool are always kept; the command prints their names and the commands that delete them.`,
  ).action(async (flags: RemoveFlags) => {
    const { removeDeployment } = await import('../remove.ts');
    await removeDeployment(flags);
  });
}

export function addPromote(program: Command): void {
  printing(
    program
      .command('promote')
      .description('give an environment the image of another one')
      .argument('<endpoint>', 'id of the endpoint')
      .requiredOption('--from <environment>', 'name of a file in environments/, without .yaml')
      .requiredOption('--to <environment>', 'name of another file in environments/, without .yaml'),
    'promote chat --from test --to prod',
    `Writes the image that the endpoint has in one environment, with its digest, into the override file of another one:
environments/TO/endpoints/ENDPOINT.yaml. Both then run the same image, also if its tag is pushed again. If the image
has no digest, the command asks the registry for it, with \`docker buildx imagetools inspect\` and the logins of
Docker. Deploys nothing: commit the file, and deploy it as any other change. Needs no AWS account.`,
  ).action(async (endpoint: string, flags: PromoteFlags) => {
    const { promote } = await import('../promote.ts');
    promote(endpoint, flags);
  });
}
