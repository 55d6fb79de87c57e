/** Tests routes that are added to the address of an interface in another stack. */
import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { managementRoutes, stages } from '../../../core/operations/routes.ts';
import type { Addressed } from '../../../lib/api/address.ts';
import { Api } from '../../../lib/api/api.ts';
import { ServiceFunction } from '../../../lib/constructs/function.ts';
import { interfacesOf, stackOf, synthesize, synthesizeWith, templatesOnly } from '../synthesis.ts';

const given: Addressed = { restApiId: 'api', rootResourceId: 'root', authorizerId: 'guard', settings: {} };

/** Returns an interface with one operation at the address. */
function routesAt(address: Addressed): Template {
  const stack = new Stack(new App({ context: templatesOnly }), 'Routes');
  const session = new ServiceFunction(stack, 'Session', { entry: 'lambda/management/session.ts', description: '' });
  const { session: route } = managementRoutes;
  const rest = { stage: stages.management, routes: { session: route }, functions: { session }, openapi: session };
  new Api(stack, 'Api', { address, ...rest, corsOrigin: undefined });
  return Template.fromStack(stack);
}

const deploymentsOf = (template: Template) => Object.entries(template.findResources('AWS::ApiGateway::Deployment'));

describe('the routes of an interface', () => {
  it('are deployed after all their methods and gateway responses', () => {
    const template = routesAt(given);
    const types = ['Method', 'GatewayResponse'].map((type) => template.findResources(`AWS::ApiGateway::${type}`));
    const [[, deployment] = [], ...others] = deploymentsOf(template);
    expect(others).toEqual([]);
    expect(types.map((found) => Object.keys(found).length)).toEqual([8, 19]);
    expect(deployment?.DependsOn).toEqual(expect.arrayContaining(types.flatMap((found) => Object.keys(found))));
  });

  it('are deployed again when a setting of the address changes, and only then', () => {
    const idWith = (settings: object) => deploymentsOf(routesAt({ ...given, settings })).map(([id]) => id);
    expect(idWith({ policy: 'TLS_1_2' })).toEqual(idWith({ policy: 'TLS_1_2' }));
    expect(idWith({ policy: 'TLS_1_3' })).not.toEqual(idWith({ policy: 'TLS_1_2' }));
  });
});

describe('the management interface', () => {
  const stacks = synthesize();
  const [platform, management] = interfacesOf(stacks);

  it('has its routes at an address of the platform stack', () => {
    platform.resourceCountIs('AWS::ApiGateway::RestApi', 2);
    management.resourceCountIs('AWS::ApiGateway::RestApi', 0);
    for (const { Properties } of Object.values(management.findResources('AWS::ApiGateway::Method')))
      expect(Properties.RestApiId).toEqual({ Ref: 'PlatformManagementAddressRestApiId' });
  });

  it('reads values of the platform stack, imports only the function of a custom resource, and shares no value', () => {
    const imports = stackOf(stacks, 'Management').text.match(/"Fn::ImportValue":\s*"[^"]+"/g);
    expect(imports).toEqual([expect.stringContaining('Platform:ExportsOutputFnGetAttPlanKeysChange')]);
    expect(stackOf(stacks, 'Platform').text).not.toContain('/Management/');
  });

  it('reads no value that the platform stack does not store, with and without the console', () => {
    for (const settings of [{}, { console: 'off' }, { webAclRate: 2_000 }]) {
      const [storing, reading] = interfacesOf(synthesizeWith(settings));
      const stored = Object.values(storing.findResources('AWS::SSM::Parameter')).map(
        ({ Properties }) => Properties.Name,
      );
      const read = Object.values<{ Default: string }>(reading.toJSON().Parameters).map(({ Default }) => Default);
      const shared = read.filter((name) => name.startsWith('/gpu-endpoints/Platform/'));
      expect(shared).toContain('/gpu-endpoints/Platform/ManagementAddress/RestApiId');
      expect(stored).toEqual(expect.arrayContaining(shared));
      reading.resourceCountIs('AWS::ApiGateway::UsagePlan', 'console' in settings ? 1 : 2);
    }
  });
});
