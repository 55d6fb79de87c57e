/** Checks of the target of a deployment: caller, Region, and whether the account is bootstrapped for the CDK. */

import type { Place } from '../assembly/app.ts';
import type { Account, Caller } from './account.ts';
import { CallFailed } from './bounded.ts';
import type { Finding } from './finding.ts';

/** Runs a check that calls AWS. If AWS does not answer or refuses a call, the finding is a warning. */
export async function warnIfUnchecked(check: string, run: () => Promise<Finding>): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CallFailed) return { check, level: 'warning', found: `Not checked. ${error.message}` };
    throw error;
  }
}

/**
 * Checks that there is a Region, and that the file of the environment names no other one.
 * @param given Region of the environment variables or of the profile
 * @param declared Region in the file of the environment
 */
export function checkRegion(given: string | undefined, declared: string | undefined): Finding {
  const check = 'Region';
  if (declared !== undefined && given !== undefined && given !== declared)
    return {
      check,
      level: 'problem',
      found: `AWS_REGION or the profile names ${given}. The other checks are for ${declared}.`,
      needed: `Region ${declared}, as set in the environment's file.`,
      fix: `export AWS_REGION=${declared}`,
    };
  if (declared !== undefined) return { check, level: 'ok', found: `${declared}, as set in the environment's file.` };
  if (given !== undefined) return { check, level: 'ok', found: `${given}.` };
  return {
    check,
    level: 'problem',
    found: 'No Region is set.',
    needed: 'The Region to deploy to.',
    fix: 'export AWS_REGION=us-east-1, or aws configure set region us-east-1',
  };
}

/**
 * Checks the credentials.
 * @returns the finding, and the caller if the credentials are valid
 */
export async function checkCaller({ caller }: Account): Promise<{ finding: Finding; caller?: Caller }> {
  const check = 'Credentials';
  try {
    const who = await caller();
    return { finding: { check, level: 'ok', found: `Account ${who.account}, as ${who.arn}.` }, caller: who };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const finding: Finding = {
      check,
      level: 'problem',
      found: error.message,
      needed: 'Credentials of the account to deploy to. Without them, only the checks of this machine run.',
      fix: 'aws sso login, or aws configure, or export AWS_PROFILE=NAME',
    };
    return { finding };
  }
}

/**
 * Checks whether the credentials and the Region match the account and the Region in the environment's file. The
 * CDK refuses a mismatch only after it has built the images.
 */
export function checkPlace(place: Place, caller: Caller, region: string | undefined): Finding {
  const check = 'Account and Region of the environment';
  const { account, region: named } = place;
  const given = `account ${caller.account}, Region ${region ?? 'unknown'}`;
  if (caller.account === account && region === named) return { check, level: 'ok', found: `${account} and ${named}.` };
  return {
    check,
    level: 'problem',
    found: `The credentials are for ${given}.`,
    needed: `Account ${account}, Region ${named}, as set in the environment's file.`,
    fix: `export AWS_REGION=${named}, with credentials of the account ${account}`,
  };
}

/**
 * Name of the role that ECS itself uses to create network interfaces of tasks and to register instances of a
 * pool.
 */
const ECS_ROLE = 'AWSServiceRoleForECS';

/**
 * Checks the role of ECS. A new account does not have the role until ECS is first used. AWS then creates it, but the first
 * service of a deployment can fail, because the role takes effect seconds later.
 */
export function checkEcsRole(account: Account): Promise<Finding> {
  const check = 'ECS service-linked role';
  return warnIfUnchecked(check, async () => {
    if (await account.hasRole(ECS_ROLE)) return { check, level: 'ok', found: `Role ${ECS_ROLE} exists.` };
    return {
      check,
      level: 'problem',
      found: `The account has no role ${ECS_ROLE}.`,
      needed: 'The role that ECS uses to run services; each account needs it once.',
      fix: 'aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com',
    };
  });
}

export interface Bootstrap {
  readonly parameter: string;
  /** The minimum version that the stacks need. */
  readonly version: number;
}

export function checkBootstrap(account: Account, { parameter, version }: Bootstrap, target: string): Promise<Finding> {
  const check = 'CDK bootstrap';
  return warnIfUnchecked(check, async () => {
    const found = await account.parameter(parameter);
    if (Number(found) >= version) return { check, level: 'ok', found: `Version ${found} is deployed.` };
    return {
      check,
      level: 'problem',
      found: found === undefined ? 'The account is not bootstrapped in this Region.' : `Version ${found} is deployed.`,
      needed: `Version ${version} or newer, which the stacks need.`,
      fix: `npx cdk bootstrap${target}`,
    };
  });
}
