import { describe, expect, it } from '@jest/globals';
import { resolve, type Scope } from '../../cloudformation/intrinsics.ts';
import { inDeploymentOrder } from '../../cloudformation/template.ts';

const refs: Record<string, string> = { Table: 'jobs-table', Api: 'abc123' };
const scope: Scope = {
  ref: (name) => refs[name],
  attribute: (logicalId, attribute) => `${logicalId}/${attribute}`,
  imported: (name) => `imported ${name}`,
  condition: (name) => name === 'Yes',
  mapped: (...path) => (path.join('/') === 'Lists/us-east-1/id' ? 'pl-1' : undefined),
  stackName: 'Platform',
  localized: (text) => text.replace('https://abc123.execute-api.us-east-1.amazonaws.com', 'http://127.0.0.1:3000'),
};

describe('an intrinsic function', () => {
  it.each<[string, unknown, unknown]>([
    ['Ref of a resource', { Ref: 'Table' }, 'jobs-table'],
    ['Ref of the region', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['Ref of the stack', { Ref: 'AWS::StackName' }, 'Platform'],
    ['GetAtt as a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table/Arn'],
    ['GetAtt as a string, nested', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'Table/Stream.Arn'],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }]] }, 'a-jobs-table'],
    [
      'Join of an address in AWS',
      { 'Fn::Join': ['', ['https://', { Ref: 'Api' }, '.execute-api.us-east-1.', { Ref: 'AWS::URLSuffix' }, '/v2']] },
      'http://127.0.0.1:3000/v2',
    ],
    [
      'Sub',
      { 'Fn::Sub': `\${AWS::AccountId}/\${Table}/\${Table.Arn}/\${!Literal}` },
      `000000000000/jobs-table/Table/Arn/\${Literal}`,
    ],
    ['Sub with variables', { 'Fn::Sub': [`\${name}`, { name: { Ref: 'Table' } }] }, 'jobs-table'],
    ['Select of Split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    ['Base64', { 'Fn::Base64': { 'Fn::Join': ['', ['#!', '/bin/bash']] } }, 'IyEvYmluL2Jhc2g='],
    ['Select of GetAZs', { 'Fn::Select': [0, { 'Fn::GetAZs': '' }] }, 'us-east-1a'],
    ['FindInMap', { 'Fn::FindInMap': ['Lists', { Ref: 'AWS::Region' }, 'id'] }, 'pl-1'],
    ['ImportValue', { 'Fn::ImportValue': 'Storage:Table' }, 'imported Storage:Table'],
    ['If, true', { 'Fn::If': ['Yes', 'a', { Ref: 'Nowhere' }] }, 'a'],
    ['If, false', { 'Fn::If': ['No', { Ref: 'Nowhere' }, 'b'] }, 'b'],
    ['NoValue', { a: { Ref: 'AWS::NoValue' }, b: [{ 'Fn::If': ['No', 1, { Ref: 'AWS::NoValue' }] }, 2] }, { b: [2] }],
    [
      'conditions',
      { 'Fn::And': [{ 'Fn::Equals': ['a', 'a'] }, { 'Fn::Not': [{ Condition: 'No' }] }, { 'Fn::Or': [false, true] }] },
      true,
    ],
    ['an object with one member that is not a function', { Statement: { Ref: 'Table' } }, { Statement: 'jobs-table' }],
    ['plain values', [1, true, null, 'text'], [1, true, null, 'text']],
  ])('resolves to its value: %s', (_, value, expected) => {
    expect(resolve(value, scope)).toEqual(expected);
  });

  it('is named in the error if it is unknown', () => {
    expect(() => resolve({ 'Fn::Cidr': [] }, scope)).toThrow('Stack Platform uses Fn::Cidr, which cannot run here.');
  });

  it('causes an error that names its target if the target does not exist', () => {
    expect(() => resolve({ Ref: 'Nowhere' }, scope)).toThrow('refers to Nowhere');
    expect(() => resolve({ 'Fn::FindInMap': ['Lists', 'mars-1', 'id'] }, scope)).toThrow(
      'Stack Platform has no id of mars-1 in its mapping Lists.',
    );
  });
});

describe('the order of deployment', () => {
  it('puts every resource after the resources that it refers to or depends on', () => {
    const order = inDeploymentOrder({
      Resources: {
        Service: { Type: 'S', Properties: { Task: { Ref: 'Task' } }, DependsOn: ['Policy'] },
        Policy: { Type: 'P', Properties: { Text: { 'Fn::Sub': `\${Role.Arn}` } } },
        Task: { Type: 'T', Properties: { Role: { 'Fn::GetAtt': ['Role', 'Arn'] }, Region: { Ref: 'AWS::Region' } } },
        Role: { Type: 'R' },
      },
    }).map(([logicalId]) => logicalId);
    expect(order).toEqual(['Role', 'Policy', 'Task', 'Service']);
  });

  it('is refused if the references form a cycle', () => {
    const Resources = { A: { Type: 'A', DependsOn: 'B' }, B: { Type: 'B', Properties: { A: { Ref: 'A' } } } };
    expect(() => inDeploymentOrder({ Resources })).toThrow('A -> B -> A');
  });
});
