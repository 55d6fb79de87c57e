import { afterEach, describe, expect, it } from '@jest/globals';
import type { Template } from '../../cloudformation/template.ts';
import { functionResource, type SmallService, startSmallService } from '../small-service.ts';

let service: SmallService | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const deploy = async (stacks: Record<string, Template>) => {
  service = await startSmallService(stacks, 'exports.handler = async () => process.env;');
  return service;
};

const role = { Type: 'AWS::IAM::Role', Properties: {} };

describe('a deployment of stacks', () => {
  it('follows the dependencies of the stacks and passes their exports on', async () => {
    const { outputs } = await deploy({
      First: {
        Resources: { Role: role },
        Outputs: {
          RoleArn: { Value: { 'Fn::GetAtt': ['Role', 'Arn'] }, Export: { Name: 'First:RoleArn' } },
        },
      },
      Second: { Resources: {}, Outputs: { Imported: { Value: { 'Fn::ImportValue': 'First:RoleArn' } } } },
    });
    expect(outputs.Second).toEqual({ Imported: 'arn:aws:iam::000000000000:role/First-Role' });
  });

  it('omits resources and outputs whose condition is false', async () => {
    const { outputs } = await deploy({
      Only: {
        Conditions: { InRegion: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] } },
        Resources: { Strange: { Type: 'AWS::Strange::Thing', Condition: 'InRegion' } },
        Outputs: {
          Yes: { Value: { 'Fn::If': ['InRegion', 'there', 'here'] } },
          No: { Value: 'x', Condition: 'InRegion' },
        },
      },
    });
    expect(outputs.Only).toEqual({ Yes: 'here' });
  });

  it('uses the defaults of parameters', async () => {
    const { outputs } = await deploy({
      Only: { Parameters: { Size: { Default: '3' } }, Resources: {}, Outputs: { Size: { Value: { Ref: 'Size' } } } },
    });
    expect(outputs.Only).toEqual({ Size: '3' });
  });

  it('reads SSM parameters that earlier stacks have stored, as a string or as a list', async () => {
    const stored = (Name: string, Type: string, Value: string) => ({
      Type: 'AWS::SSM::Parameter',
      Properties: { Name, Type, Value },
    });
    const read = (type: string, Default: string) => ({ Type: `AWS::SSM::Parameter::Value<${type}>`, Default });
    const { outputs } = await deploy({
      First: { Resources: { A: stored('/d/A', 'String', 'a,b'), B: stored('/d/B', 'StringList', 'a,b') } },
      Second: {
        Parameters: {
          A: read('String', '/d/A'),
          B: read('List<String>', '/d/B'),
          Version: read('String', '/cdk-bootstrap/x/version'),
        },
        Resources: {},
        Outputs: {
          A: { Value: { Ref: 'A' } },
          B: { Value: { Ref: 'B' } },
          Joined: { Value: { 'Fn::Join': ['-', { Ref: 'B' }] } },
          Version: { Value: { Ref: 'Version' } },
        },
      },
    });
    expect(outputs.Second).toEqual({ A: 'a,b', B: ['a', 'b'], Joined: 'a-b', Version: '/cdk-bootstrap/x/version' });
  });

  it('gives an API an address on this machine', async () => {
    const address = { 'Fn::Sub': `https://\${Api}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/v2` };
    const { outputs, url } = await deploy({
      Only: {
        Resources: { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'a' } } },
        Outputs: { Url: { Value: address } },
      },
    });
    expect(outputs.Only).toEqual({ Url: `${url}/v2` });
  });

  it('passes each function the name of its role as its access key', async () => {
    const { outputs, functions } = await deploy({
      Only: {
        Resources: {
          Role: role,
          Function: functionResource('handler', {
            Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
            Environment: { Variables: { TABLE: 'jobs' } },
          }),
        },
        Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Function', 'Arn'] } } },
      },
    });
    const environment = JSON.parse(await functions.invoke(String(outputs.Only?.Arn), {}));
    expect(environment).toMatchObject({ TABLE: 'jobs', AWS_ACCESS_KEY_ID: 'Only-Role', AWS_REGION: 'us-east-1' });
    expect(environment).toMatchObject({ AWS_SESSION_TOKEN: 'Only-Function', AWS_ENDPOINT_URL: 'http://127.0.0.1:1' });
  });
});

describe('a template that cannot run here', () => {
  const only = (resource: Template['Resources'][string]) => ({ Only: { Resources: { Thing: resource } } });

  it.each<[string, Record<string, Template>, string]>([
    [
      'an unsupported type',
      only({ Type: 'AWS::RDS::DBInstance' }),
      'Only/Thing (AWS::RDS::DBInstance) cannot run here: its type is not supported.',
    ],
    [
      'an unsupported property of a supported type',
      only({ Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } }),
      'Only/Thing (AWS::SQS::Queue) cannot run here: the property FifoQueue is not supported.',
    ],
    [
      'an unsupported value of a property',
      only(functionResource('handler', { Runtime: 'python3.13' })),
      'Only/Thing (AWS::Lambda::Function) cannot run here: the property Runtime cannot be "python3.13".',
    ],
    [
      'a missing property',
      only({ Type: 'AWS::ApiGateway::ApiKey', Properties: {} }),
      'Only/Thing (AWS::ApiGateway::ApiKey) cannot run here: the property Value is missing.',
    ],
    [
      'an unsupported nested property',
      only({
        Type: 'AWS::SQS::Queue',
        Properties: { RedrivePolicy: { deadLetterTargetArn: 'a', maxReceiveCount: 1, more: 1 } },
      }),
      'the property RedrivePolicy.more is not supported.',
    ],
    [
      'a reservation that leaves too few executions',
      only(functionResource('handler', { ReservedConcurrentExecutions: 901 })),
      '901 executions cannot be reserved for arn:aws:lambda:us-east-1:000000000000:function:Only-Thing: of 1000, 99 are left',
    ],
    [
      'code that is not in the assembly',
      only(functionResource('handler', { Code: { S3Bucket: 'b', S3Key: 'elsewhere.zip' } })),
      'its code elsewhere.zip is not in the assembly.',
    ],
    [
      'an import that no stack exports',
      { Only: { Resources: {}, Outputs: { A: { Value: { 'Fn::ImportValue': 'Nobody:Thing' } } } } },
      'Stack Only imports Nobody:Thing, which no stack exports.',
    ],
    [
      'a value that no stack stores',
      {
        Only: {
          Parameters: { Name: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/d/Nobody' } },
          Resources: {},
          Outputs: { A: { Value: { Ref: 'Name' } } },
        },
      },
      'The parameter Name reads /d/Nobody, which no stack stores.',
    ],
    [
      'a value that is stored twice',
      {
        One: {
          Resources: { A: { Type: 'AWS::SSM::Parameter', Properties: { Name: '/d', Type: 'String', Value: 'x' } } },
        },
        Two: {
          Resources: { B: { Type: 'AWS::SSM::Parameter', Properties: { Name: '/d', Type: 'String', Value: 'x' } } },
        },
      },
      'Two/B (AWS::SSM::Parameter) cannot run here: the parameter /d already exists.',
    ],
    [
      'an unknown attribute of a supported type',
      {
        Only: {
          Resources: { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'a' } } },
          Outputs: { A: { Value: { 'Fn::GetAtt': ['Api', 'Color'] } } },
        },
      },
      'Only/Api (AWS::ApiGateway::RestApi) has no attribute Color here.',
    ],
  ])('is refused in one sentence: %s', async (_, stacks, sentence) => {
    await expect(deploy(stacks)).rejects.toThrow(sentence);
  });
});
