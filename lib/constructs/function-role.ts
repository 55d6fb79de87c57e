import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * The role of a Lambda function, which contains the statements of all grants. `Role` would create a policy beside each
 * role, and a stack can have only 500 resources.
 */
export class FunctionRole extends Role {
  readonly #statements: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const statements = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Grants: statements },
    });
    this.#statements = statements;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#statements.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
