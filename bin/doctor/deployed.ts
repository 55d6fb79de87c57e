/** Lists the stacks that CloudFormation has in a Region. */
import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { bounded } from './bounded.ts';

export interface DeployedStack {
  readonly name: string;
  readonly description: string;
  /** Status of the stack as CloudFormation reports it, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  /** Whether the stack has termination protection, with which CloudFormation refuses to delete it. */
  readonly isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
}

export const deployedStack = (stack: Stack): DeployedStack => ({
  name: stack.StackName ?? '',
  description: stack.Description ?? '',
  status: stack.StackStatus ?? '',
  isProtected: stack.EnableTerminationProtection ?? false,
  outputs: Object.fromEntries(
    (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  ),
});

/**
 * Returns the stacks of the account whose credentials are in the environment, including those of other projects,
 * without deleted stacks.
 * @param limit time for all pages in total, in milliseconds
 * @throws CallFailed if the call fails or times out
 */
export function deployedStacks(region: string, limit: number): Promise<DeployedStack[]> {
  const client = new CloudFormationClient({ region, maxAttempts: 3 });
  return bounded('cloudformation:DescribeStacks', limit, async () => {
    const stacks: DeployedStack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
      stacks.push(...Stacks.map(deployedStack));
    return stacks;
  });
}
