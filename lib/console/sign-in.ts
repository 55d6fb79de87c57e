/** Stand-in until the user pool of the console is there. */
import { Aws } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { deploymentOf } from '../deployment-name.ts';

/** Origin of the sign-in pages. */
export const signInHost = (scope: IConstruct): string =>
  `https://${deploymentOf(scope)}-${Aws.ACCOUNT_ID}.auth.${Aws.REGION}.amazoncognito.com`;
