import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccountRecovery,
  CfnUserPoolGroup,
  FeaturePlan,
  Mfa,
  PasskeyUserVerification,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { Construct, type IConstruct } from 'constructs';
import { type Role, roles } from '../../core/users/role.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import { deploymentOf } from '../settings/settings.ts';

const descriptions: Readonly<Record<Role, string>> = {
  viewer: 'Reads everything, including payloads and logs.',
  operator: 'Also runs, cancels and retries jobs, resends webhooks and resumes endpoints.',
  admin: 'Also changes templates and keys, and purges queues.',
};

/**
 * The pool of the users of the console, with their groups. Like a table, it outlives its stack and is protected from
 * deletion. The platform stack decides whether users can sign in (`sign-in.ts`).
 */
export class Users extends Construct {
  readonly #poolId: SharedValue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const pool = new UserPool(this, 'Pool', {
      userPoolName: deploymentOf(this),
      featurePlan: FeaturePlan.ESSENTIALS,
      selfSignUpEnabled: false,
      // The console shows the user name. Users can also sign in with their mail address, which can change.
      signInAliases: { username: true, email: true },
      signInCaseSensitive: false,
      autoVerify: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      signInPolicy: { allowedFirstAuthFactors: { password: true, passkey: true } },
      passkeyUserVerification: PasskeyUserVerification.REQUIRED,
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    acknowledge(pool, {
      COG2: 'Passkeys need no second factor, and a pool that requires one does not offer passkeys. Administrators turn TOTP on for users with passwords.',
      COG8: 'Plus adds threat protection and is charged per user and month. Essentials has passkeys, TOTP and rotating tokens.',
    });
    for (const role of roles) {
      const group = new CfnUserPoolGroup(this, `Group-${role}`, {
        userPoolId: pool.userPoolId,
        groupName: role,
        description: descriptions[role],
      });
      // Replacing a group would remove its members.
      group.applyRemovalPolicy(RemovalPolicy.RETAIN);
    }
    this.#poolId = new SharedValue(this, 'PoolId', pool.userPoolId);
  }

  /** Returns the id of the user pool, in the stack of the construct. */
  poolIdIn(reader: IConstruct): string {
    return this.#poolId.in(reader);
  }
}
