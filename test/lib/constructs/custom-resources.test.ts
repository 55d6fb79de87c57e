/** Tests how long CloudFormation waits for the functions of the custom resources of all stacks. */
import { describe, expect, it } from '@jest/globals';
import { declare, stackOf, synthesizeWith } from '../synthesis.ts';

const official = { id: 'official', name: 'Official', imageName: 'team/official:1' };
// Without the ingress the stacks have one more: the quota of functions limits the calls that wait.
const stacks = synthesizeWith({ ingress: 'off' }, [declare('echo')], [], [official]);

interface Output {
  readonly Value: { readonly 'Fn::GetAtt'?: readonly string[] };
  readonly Export?: { readonly Name: string };
}

/** Returns the ARN of a function of the platform stack: in that stack, or in another one by the name of its export. */
interface Token {
  readonly 'Fn::GetAtt'?: readonly string[];
  readonly 'Fn::ImportValue'?: string;
}

/** Seconds that the function may run. */
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
  it('is of one of the known types', () => {
    expect(custom.map(({ where }) => where)).toEqual([
      'Platform Custom::WaitSlots',
      'Platform Custom::ConsoleFiles',
      'Endpoint-echo Custom::EndpointTemplate',
      'Endpoint-echo Custom::FirstRevision',
      'Endpoint-echo Custom::LiveCount',
      'Endpoint-echo Custom::Endpoint',
      'Endpoint-echo Custom::Release',
      'Templates Custom::Template',
    ]);
  });

  it.each(custom)('$where is waited for until the last retry of Lambda has ended, not for an hour', (resource) => {
    const { ServiceToken, ServiceTimeout } = resource.Properties;
    const timeout = timeoutOf(ServiceToken as Token);
    // Three attempts, with a minute and then two between them.
    const last = 3 * timeout + 60 + 120;
    expect(timeout).toBeGreaterThan(0);
    expect(Number(ServiceTimeout)).toBeGreaterThanOrEqual(last);
    expect(Number(ServiceTimeout)).toBeLessThanOrEqual(last + 120);
  });
});
