import { describe, expect, it } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { permissionsOf, roleNamed } from './permissions.ts';
import { stackOf, synthesize } from './synthesis.ts';

const { template } = stackOf(synthesize(), 'Platform');

const variablesOf = (role: string) => {
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));
  const found = functions.find(({ Properties }) => Properties.Role['Fn::GetAtt'][0] === role);
  return Object.keys(found?.Properties.Environment.Variables).filter((name) => name.endsWith('_TABLE'));
};

describe('the functions', () => {
  it('run on Node 24 and arm64', () => {
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
  });

  it('keep their logs for a month', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    template.allResourcesProperties('AWS::Lambda::Function', { LoggingConfig: { LogGroup: Match.anyValue() } });
  });

  it('answer before the gateway gives up after 29 seconds', () => {
    for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function')))
      expect(Properties.Timeout).toBeLessThan(29);
  });

  it('have no permission but those that name what they are for', () => {
    template.allResourcesProperties('AWS::IAM::Role', { ManagedPolicyArns: Match.absent() });
    for (const role of Object.keys(template.findResources('AWS::IAM::Role')))
      expect(JSON.stringify(permissionsOf(template, role))).not.toContain('*');
  });

  it.each<[string, Record<string, string[]>]>([
    ['Authorize', { Keys: ['GetItem'], Endpoints: ['Query'] }],
    ['Run', { Endpoints: ['Query'], Payloads: ['PutItem'], Jobs: ['PutItem'] }],
    ['Status', { Endpoints: ['Query'], Payloads: ['GetItem'], Jobs: ['GetItem'] }],
    ['Health', { Endpoints: ['Query'], Jobs: ['Query'], Workers: ['Query'] }],
    ['ManagementEndpoints', { Endpoints: ['Scan'] }],
    ['Register', { Endpoints: ['DeleteItem', 'PutItem'] }],
  ])('%s may do %j, and knows the names of these tables', (name, expected) => {
    const role = roleNamed(template, `${name}Role`);
    const permissions = permissionsOf(template, role).filter(({ actions }) => actions[0]?.startsWith('dynamodb:'));
    const actual = permissions.map(({ on, actions }) => [on, actions.map((action) => action.replace('dynamodb:', ''))]);
    expect(Object.fromEntries(actual)).toEqual(expected);
    const tables = Object.keys(expected).map((table) => `${table.toUpperCase()}_TABLE`);
    expect(new Set(variablesOf(role))).toEqual(new Set(tables));
  });
});
