import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { PlanKey } from '../../core/rates/plan-keys.ts';
import { acknowledge } from '../constructs/acknowledge.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';

/**
 * Adds keys to usage plans by a function of this service. API Gateway adds them one at a time in a Region, and
 * CloudFormation's own resource fails if another stack adds a key at the same time. The function repeats its call.
 */
export class PlanKeys extends Construct {
  readonly #change: ServiceFunction;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.#change = new ServiceFunction(this, 'Change', {
      entry: 'lambda/rates/plan-keys.ts',
      description: 'Custom resource: adds hidden keys to usage plans, and removes them with their stack.',
      // The pauses of two calls add up to 206 s, if other stacks change keys all the time (aws/rates/plan-keys.ts).
      timeout: Duration.minutes(5),
    });
    const { partition, region } = Stack.of(this);
    const keys = `arn:${partition}:apigateway:${region}::/usageplans/*/keys`;
    for (const [actions, resource] of [
      [['apigateway:POST'], keys],
      [['apigateway:GET', 'apigateway:DELETE'], `${keys}/*`],
    ] as const)
      this.#change.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resource] }));
    const reason = 'The plans of other stacks have ids that are unknown here. The role cannot change plans or keys.';
    const finding = 'IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/usageplans/*/keys';
    acknowledge(this.#change.identity, { [`${finding}]`]: reason, [`${finding}/*]`]: reason });
    explain(this.#change, 'apigateway', ['POST'], 'keys of usage plans', 'Adds a hidden key to a usage plan.');
    explain(this.#change, 'apigateway', ['GET', 'DELETE'], 'each key of usage plans', {
      GET: 'Reads whether the key is already in the plan.',
      DELETE: 'Removes the key from the plan with its stack.',
    });
  }

  /** ARN of the function that CloudFormation calls. */
  get serviceToken(): string {
    return this.#change.functionArn;
  }

  /** Adds keys to plans while the stack that `scope` is in declares them. A key can be in one plan of each stage. */
  add(scope: Construct, id: string, keys: readonly PlanKey[]): CustomResource {
    return new CustomResource(scope, id, {
      resourceType: 'Custom::UsagePlanKeys',
      serviceToken: this.serviceToken,
      serviceTimeout: serviceTimeoutOf(this.#change),
      properties: { keys },
    });
  }
}
