import { Duration } from 'aws-cdk-lib';
import { Grant, type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import {
  DefinitionBody,
  Fail,
  JsonPath,
  StateMachine,
  StateMachineType,
  Succeed,
  TaskInput,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { SECOND, webhookAttempts } from '../../core/limits.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import type { Grantee } from '../constructs/grantee.ts';
import { explain, type Reason } from '../constructs/reasons.ts';

const { max, maxTime, pause } = webhookAttempts;

/**
 * The attempts of one delivery, with pauses between them: one attempt, and up to two more while the function throws.
 * The function throws to request the next attempt. The sweeper finds deliveries that have not finished after all
 * attempts.
 */
export class DeliveryMachine extends Construct {
  readonly arn: string;

  /**
   * @param deliver makes one attempt. Its input is `{cause, execution, retry}`, where `cause` is the input of the
   * execution
   */
  constructor(scope: Construct, id: string, deliver: IFunction) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') });
    const lambda = { actions: ['lambda:InvokeFunction'], resourceArns: [deliver.functionArn] };
    Grant.addToPrincipal({ grantee: role, ...lambda }).assertSuccess();
    explain(role, 'lambda', ['InvokeFunction'], 'function that calls receivers', 'Makes an attempt.');

    const post = LambdaInvoke.jsonPath(this, 'Post', {
      lambdaFunction: deliver,
      payload: TaskInput.fromObject({
        cause: JsonPath.objectAt('$[0]'),
        execution: JsonPath.stringAt('$$.Execution.Id'),
        retry: JsonPath.numberAt('$$.State.RetryCount'),
      }),
      // By default, CDK would add more retries, with other delays.
      retryOnServiceExceptions: false,
      resultPath: JsonPath.DISCARD,
    });
    post.addRetry({
      errors: ['States.ALL'],
      interval: Duration.millis(pause),
      maxAttempts: max - 1,
      backoffRate: 1,
    });
    post.addCatch(new Fail(this, 'NotDelivered'), { errors: ['States.ALL'], resultPath: JsonPath.DISCARD });
    const machine = new StateMachine(this, 'Machine', {
      stateMachineType: StateMachineType.EXPRESS,
      definitionBody: DefinitionBody.fromChainable(post.next(new Succeed(this, 'Over'))),
      timeout: Duration.millis(max * maxTime + (max - 1) * pause + 10 * SECOND),
      // By default, CDK would also allow calls of versions of the function.
      role: role.withoutPolicyUpdates(),
    });
    acknowledge(machine, {
      SF1: 'The deliveries table contains the outcome of each attempt. A log of an execution would cost more than the execution.',
      SF2: 'There is only one call to trace, of one function.',
    });
    this.arn = machine.stateMachineArn;
  }

  grantStart(grantee: IGrantable, reason: Reason): void {
    const actions = ['states:StartExecution'];
    Grant.addToPrincipal({ grantee, actions, resourceArns: [this.arn] }).assertSuccess();
    explain(grantee, 'states', ['StartExecution'], 'state machine of deliveries', reason);
  }

  /** Lets the grantee repeat a delivery. */
  grantRestart(grantee: Grantee, reason: Reason): void {
    this.grantStart(grantee, reason);
    grantee.addEnvironment('DELIVERY_MACHINE', this.arn);
  }
}
