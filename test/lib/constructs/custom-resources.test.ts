/** Tests how long CloudFormation waits for the functions of custom resources, in all stacks. */
import { describe, expect, it } from '@jest/globals';
import { declare, stackOf, synthesizeWith } from '../synthesis.ts';

const official = { id: 'official', name: 'Official', imageName: 'team/official:1' };
// Without the ingress the stacks have one more custom resource, which reads the quota for waiting calls.
const stacks = synthesizeWith({ ingress: 'off' }, [declare('echo')], [], [official]);

interface Output {
  readonly Value: { readonly 'Fn::GetAtt'?: readonly string[] };
  readonly Export?: { readonly Name: string };
}

/** The ARN of a function of the platform stack, as that stack or another stack refers to it. */
interface Token {
  readonly 'Fn::GetAtt'?: readonly string[];
  readonly 'Fn::ImportValue'?: string;
}

/** Returns the timeout of the function, in seconds. */
function timeoutOf(token: Token): number {
  const { Outputs, Resources } = stackOf(stacks, 'Platform').template.toJSON();
  const output = Object.values<Output>(Outputs).find(({ Export }) => Export?.Name === token['Fn::ImportValue']);
  const [id = ''] = token['Fn::GetAtt'] ?? output?.Value['Fn::GetAtt'] ?? [];
  return Number(Resources[id]?.Properties.Timeout);
}

const custom = Object.entries(stacks).flatMap(([stack, { template }]) =>
  Object.values<{ Type: string; Properties?: Record<string, unknown> }>(template.toJSON().Resources).flatMap(
    ({ Type, Properties = {} }) => ('ServiceToken' in Properties ? [{ where: `${stack} ${Type}`, Properties }] : []),
  ),
);

describe('a custom resource', () => {
  it('has one of the known types', () => {
    expect(custom.map(({ where }) => where)).toEqual([
      'Platform Custom::WaitSlots',
      'Platform Custom::ConsoleFiles',
      'Platform Custom::UsagePlanKeys',
      'Management Custom::UsagePlanKeys',
      'Templates Custom::Template',
      'Endpoint-echo Custom::UsagePlanKeys',
      'Endpoint-echo Custom::EndpointTemplate',
      'Endpoint-echo Custom::FirstRevision',
      'Endpoint-echo Custom::LiveCount',
      'Endpoint-echo Custom::Endpoint',
      'Endpoint-echo Custom::Release',
    ]);
  });

  it.each(custom)(
    '$where has a timeout that allows the last retry of Lambda, and not the default of an hour',
    (resource) => {
      const { ServiceToken, ServiceTimeout } = resource.Properties;
      const timeout = timeoutOf(ServiceToken as Token);
      // Three attempts, with pauses of one minute and two minutes.
      const last = 3 * timeout + 60 + 120;
      expect(timeout).toBeGreaterThan(0);
      expect(Number(ServiceTimeout)).toBeGreaterThanOrEqual(last);
      expect(Number(ServiceTimeout)).toBeLessThanOrEqual(last + 120);
    },
  );
});
