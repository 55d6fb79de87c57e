/** The rules of ECS about launch types: rows of the table in `rules.ts`. */
import type { Rule } from './rule.ts';

export const launchRules = {
  launchType: {
    rule: 'A service runs task definitions of the launch type of its capacity providers, and no others.',
    value: 'Task definition does not support launch_type',
    source:
      'CreateService and UpdateService (Amazon ECS API Reference). ECS checks `compatibilities`, which can add EC2 ' +
      'to the FARGATE of `requiresCompatibilities`. This emulator checks `requiresCompatibilities`',
    test: ['launch-type.test.ts', 'refuses a task definition of the other launch type'],
  },
  fargateNetwork: {
    rule: 'Fargate runs no task definition with a network mode other than awsvpc.',
    value: "Fargate only supports network mode 'awsvpc'",
    source: 'RegisterTaskDefinition networkMode (Amazon ECS API Reference)',
    test: ['launch-type.test.ts', 'refuses task definitions for Fargate that Fargate cannot run'],
  },
  fargateGpus: {
    rule: 'Fargate has no GPUs.',
    value: 'Fargate does not support GPUs',
    source: 'ResourceRequirement (Amazon ECS API Reference); the message is our own',
    test: ['launch-type.test.ts', 'refuses task definitions for Fargate that Fargate cannot run'],
  },
} as const satisfies Readonly<Record<string, Rule>>;
