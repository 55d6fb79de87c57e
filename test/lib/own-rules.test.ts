/** Tests that an app's own rules reach every construct of the service: aspects, a permissions boundary and injectors. */

import { expect, it } from '@jest/globals';
import { App, Aspects, CfnResource, type IPropertyInjector, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { fromFolder, GpuEndpoints } from '../../lib/gpu-endpoints.ts';
import { declared } from '../support/declared.ts';
import { templatesOnly } from './synthesis.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Gives each queue of the app a limit for its messages, unless it has one. */
const smallMessages: IPropertyInjector = {
  constructUniqueId: Queue.PROPERTY_INJECTION_ID,
  inject: (props: QueueProps) => ({ maxMessageSizeBytes: 65_536, ...props }),
};

it('reach every construct of the service', () => {
  const app = new App({ context: templatesOnly, propertyInjectors: [smallMessages] });
  const limit = ManagedPolicy.fromManagedPolicyName(new Stack(app, 'Team'), 'Limit', 'team-limit');
  PermissionsBoundary.of(app).apply(limit);
  new GpuEndpoints(app, 'Gpu', fromFolder(declared));
  const seen = new Set<string>();
  Aspects.of(app).add({
    visit(node) {
      if (node instanceof CfnResource) seen.add(node.node.path);
    },
  });
  const { stacksRecursively } = app.synth();
  const resources = stacksRecursively.flatMap(({ template }) =>
    Object.values((template.Resources ?? {}) as Record<string, { Type: string; Properties: Properties }>),
  );
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  expect(seen.size).toBeGreaterThanOrEqual(resources.length);
  const roles = ofType('AWS::IAM::Role');
  expect(roles.length).toBeGreaterThan(40);
  expect(roles.filter(({ PermissionsBoundary: its }) => !JSON.stringify(its ?? '').includes('team-limit'))).toEqual([]);
  const queues = ofType('AWS::SQS::Queue');
  expect(queues.length).toBeGreaterThan(5);
  expect(queues.filter(({ MaximumMessageSize: bytes }) => bytes === undefined)).toEqual([]);
});
