/** The rules of ECS about secrets: rows of the table in `rules.ts`. */
import type { Rule } from './rule.ts';

export const secretRules = {
  secretsAreRead: {
    rule:
      'Before containers start, ECS reads their secrets with the execution role. A missing secret or ' +
      'permission stops the task. Values are only in the environment of the process; ECS never returns them.',
    value: {
      error: 'ResourceInitializationError',
      prefix:
        'unable to pull secrets or registry auth: execution resource retrieval failed: unable to retrieve secret from ' +
        'asm: service call has been retried 1 time(s): failed to fetch secret ',
    },
    source:
      'Pass Secrets Manager secrets through Amazon ECS environment variables (Developer Guide); the message of tasks ' +
      'on Fargate is quoted in github.com/GiamPy5/terraform-aws-directus/issues/10',
    test: ['task-secrets.test.ts', 'stops the task if it is missing or its role is not allowed to read it'],
  },
  credentialsAreRead: {
    rule: 'ECS also reads the credentials of an image. Their secret must be an object with username and password.',
    value: {
      prefix:
        'unable to pull secrets or registry auth: execution resource retrieval failed: unable to get registry auth ' +
        'from asm: service call has been retried 1 time(s): asm fetching secret from the service for ',
    },
    source:
      'Using non-AWS container images in Amazon ECS (Developer Guide); the message is quoted in ' +
      'github.com/aws-samples/keycloak-on-aws/issues/222. The message for an invalid secret is our own',
    test: [
      'task-secrets.test.ts',
      'for a registry must contain a username and a password, or the image cannot be pulled',
    ],
  },
  secretsOfRegistrations: {
    rule:
      'A task definition with secrets needs an execution role. A variable cannot be both secret and plain. A ' +
      'secret is named by its ARN, with or without the suffix that AWS adds.',
    value: {
      noRole: "When you are specifying container secrets, you must also specify a value for 'executionRoleArn'.",
      twice:
        'The secret name must be unique and not shared with any new or existing environment variables set on the ' +
        'container, such as ',
    },
    source:
      'Secret (Amazon ECS API Reference). The messages are those of the API, as quoted in ' +
      'github.com/hashicorp/terraform-provider-aws and its users. Keys and versions after an ARN, and parameters of ' +
      'Systems Manager, exist on AWS and are refused here',
    test: [
      'task-definitions.test.ts',
      'must identify secrets by ARN, use each name only once, and have an execution role',
    ],
  },
} as const satisfies Readonly<Record<string, Rule>>;
