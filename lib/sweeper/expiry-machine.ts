import { Duration } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  DefinitionBody,
  JsonPath,
  StateMachine,
  StateMachineType,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { expiryTimer, SECOND } from '../../core/limits.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { explain } from '../constructs/reasons.ts';

const { ahead, slot, margin, maxTime } = expiryTimer;
const RETRIES = { max: 2, pause: 2 * SECOND };

/**
 * Timers: an execution waits until the time `at` of its input and then calls the function. Timers cost nothing while
 * no job is about to expire. A queue that Lambda polls would have standing costs. If an execution fails, the sweeper
 * ends the jobs.
 */
export class ExpiryMachine extends Construct {
  readonly #arn: string;

  /** @param expire function that ends jobs; its input is `{endpoint, jobs}` of the timer */
  constructor(scope: Construct, id: string, expire: IFunction) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
    const lambda = { actions: ['lambda:InvokeFunction'], resourceArns: [expire.functionArn] };
    Grant.addToPrincipal({ grantee: role, ...lambda }).assertSuccess();
    const calls = 'Calls the function when the time of the timer is reached.';
    explain(role, 'lambda', ['InvokeFunction'], 'function that timers call', calls);

    const wait = new Wait(this, 'Wait', { time: WaitTime.timestampPath('$.at') });
    const call = LambdaInvoke.jsonPath(this, 'Expire', {
      lambdaFunction: expire,
      payload: TaskInput.fromObject({ endpoint: JsonPath.stringAt('$.endpoint'), jobs: JsonPath.listAt('$.jobs') }),
      // By default, CDK would add more retries, with other delays.
      retryOnServiceExceptions: false,
      resultPath: JsonPath.DISCARD,
    });
    call.addRetry({
      errors: ['States.ALL'],
      interval: Duration.millis(RETRIES.pause),
      maxAttempts: RETRIES.max,
      backoffRate: 1,
    });
    const machine = new StateMachine(this, 'Machine', {
      stateMachineType: StateMachineType.EXPRESS,
      definitionBody: DefinitionBody.fromChainable(wait.next(call)),
      timeout: Duration.millis(ahead + margin + slot + (RETRIES.max + 1) * maxTime + RETRIES.max * RETRIES.pause),
      // By default, CDK would also allow calls of versions of the function.
      role: role.withoutPolicyUpdates(),
    });
    acknowledge(machine, {
      SF1: 'The function logs the jobs that it has ended. A log of an execution would cost more than the execution.',
      SF2: 'There is only one call to trace, of one function.',
    });
    this.#arn = machine.stateMachineArn;
  }

  /** Lets the grantee start timers. */
  grantStart(grantee: Grantee): void {
    const actions = ['states:StartExecution'];
    Grant.addToPrincipal({ grantee, actions, resourceArns: [this.#arn] }).assertSuccess();
    grantee.addEnvironment('EXPIRY_MACHINE', this.#arn);
    const reason = 'Starts a timer for waiting jobs whose `ttl` ends before the next sweep.';
    explain(grantee, 'states', ['StartExecution'], 'state machine of timers', reason);
  }
}
