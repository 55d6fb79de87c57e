import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { callerSecretsIn } from '../../core/keys/caller-keys.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import { grantSecrets } from '../constructs/secret-grants.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import { deploymentOf } from '../settings/settings.ts';
import { type KeysTable, onlyForTeams } from './keys-table.ts';

/** The function sends at most three requests. Each of them has 5 s, and the SDK repeats it twice. */
const timeout = Duration.minutes(1);

/** How long the stack of a team waits for the response of the function. */
export const callerKeyTimeout = serviceTimeoutOf({ timeout });

export interface CallerKeysProps {
  readonly keys: KeysTable;
}

/** Creates a client key for each function that calls endpoints, while the stack of the function declares it. */
export class CallerKeys extends Construct {
  /**
   * ARN of the function that CloudFormation calls for stacks of teams, which read it from Parameter Store. CloudFormation
   * cannot change the function of a custom resource, so the logical id of the function must not change.
   */
  readonly serviceToken: SharedValue;

  constructor(scope: Construct, id: string, { keys }: CallerKeysProps) {
    super(scope, id);
    const maintain = new ServiceFunction(this, 'Maintain', {
      entry: 'lambda/keys/caller-keys.ts',
      description: 'Custom resource: creates the client key of a function, and revokes it with its stack.',
      timeout,
    });
    keys.grantMaintain(maintain);
    // It creates, finds and deletes secrets, without permission to read them.
    const unused = onlyForTeams;
    grantSecrets(
      maintain,
      ['CreateSecret', 'DescribeSecret', 'DeleteSecret'],
      {
        names: `${callerSecretsIn(deploymentOf(this))}*`,
        shownAs: 'keys of functions',
        unknown: 'The stacks of teams and their functions are unknown here',
      },
      {
        CreateSecret: { reason: 'Stores the secret of the key, which only its function can read.', unused },
        DescribeSecret: {
          reason: 'Finds the ARN of the secret, and the hash of its key, if CloudFormation repeats a request.',
          unused,
        },
        DeleteSecret: { reason: 'Deletes the secret after its key is revoked.', unused },
      },
    );
    this.serviceToken = new SharedValue(this, 'ServiceToken', maintain.functionArn);
  }
}
