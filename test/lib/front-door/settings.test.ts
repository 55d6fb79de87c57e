import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { domainOf } from '../../../lib/front-door/domain-setting.ts';
import { ingressOf } from '../../../lib/front-door/ingress-setting.ts';
import { InvalidSetting } from '../../../lib/settings/settings.ts';
import { stackOf, synthesizeWith } from '../synthesis.ts';

const ingressWith = (ingress: unknown) => ingressOf(new App({ context: { ingress } }));
const domainWith = (domain: unknown) => domainOf(new App({ context: { domain } }));

describe('the setting ingress', () => {
  it.each([
    [undefined, { minTasks: 1, maxTasks: 10 }],
    ['', { minTasks: 1, maxTasks: 10 }],
    [{}, { minTasks: 1, maxTasks: 10 }],
    [{ minTasks: 2 }, { minTasks: 2, maxTasks: 10 }],
    [
      { minTasks: 50, maxTasks: 50 },
      { minTasks: 50, maxTasks: 50 },
    ],
    ['off', undefined],
  ])('may be %j', (value, settings) => {
    expect(ingressWith(value)).toEqual(settings);
  });

  it.each<[unknown, string]>([
    ['on', 'The context `ingress` must be off, or a mapping with the keys minTasks, maxTasks, got "on".'],
    [false, 'The context `ingress` must be off, or a mapping with the keys minTasks, maxTasks, got false.'],
    [{ tasks: 2 }, 'The context `ingress` has no field tasks; the fields are minTasks, maxTasks.'],
    [{ minTasks: 0 }, 'The context `ingress.minTasks` must be a whole number from 1 to 50, got 0.'],
    [{ maxTasks: 51 }, 'The context `ingress.maxTasks` must be a whole number from 1 to 50, got 51.'],
    [{ maxTasks: '3' }, 'The context `ingress.maxTasks` must be a whole number from 1 to 50, got "3".'],
    [
      { minTasks: 11 },
      'The context `ingress.minTasks` must not exceed `ingress.maxTasks`, which is 10 by default, got 11.',
    ],
  ])('rejects %j with an error that lists the allowed values', (value, sentence) => {
    expect(() => ingressWith(value)).toThrow(InvalidSetting);
    expect(() => ingressWith(value)).toThrow(sentence);
  });

  it.each([
    { availabilityZones: ['eu-west-1a'] },
    {
      vpcId: 'vpc-0123456789abcdef0',
      privateSubnetIds: ['subnet-0aaaaaaaaaaaaaaa1', 'subnet-0aaaaaaaaaaaaaaa2'],
      availabilityZones: ['eu-west-1a', 'eu-west-1a'],
    },
  ])('must be off in a network of one zone: %j', (network) => {
    expect(() => synthesizeWith({ network })).toThrow(
      'The context `network` has private subnets in 1 availability zone; a load balancer needs private subnets in two zones. Add a zone, or deploy without the ingress: `-c ingress=off`.',
    );
    expect(() => synthesizeWith({ network, ingress: 'off' })).not.toThrow();
  });

  it('sets the minimum and maximum number of tasks', () => {
    const ingress = { minTasks: 2, maxTasks: 7 };
    const { template } = stackOf(synthesizeWith({ ingress }), 'Platform');
    template.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', { MinCapacity: 2, MaxCapacity: 7 });
  });
});

const certificate = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';

describe('the setting domain', () => {
  it('does not set a name if it is absent', () => {
    expect([undefined, ''].map(domainWith)).toEqual([undefined, undefined]);
  });

  it.each<[unknown, string]>([
    [
      'gpu.example.com',
      'The context `domain` must be a mapping with the keys name, certificate, got "gpu.example.com".',
    ],
    [
      { name: 'gpu.example.com' },
      'The context `domain.certificate` must be the ARN of a certificate of ACM in us-east-1',
    ],
    [{ certificate }, 'The context `domain.name` must be a domain name in lower case, such as gpu.example.com'],
    [{ name: 'https://gpu.example.com', certificate }, 'The context `domain.name` must be a domain name in lower case'],
    [
      { name: 'gpu.example.com', certificate: certificate.replace('us-east-1', 'eu-west-1') },
      'The context `domain.certificate` must be the ARN of a certificate of ACM in us-east-1',
    ],
    [
      { name: 'gpu.example.com', certificate, zone: 'Z1' },
      'The context `domain` has no field zone; the fields are name, certificate.',
    ],
  ])('rejects %j with an error that lists the allowed values', (value, sentence) => {
    expect(() => domainWith(value)).toThrow(InvalidSetting);
    expect(() => domainWith(value)).toThrow(sentence);
  });

  it('sets the domain of the published addresses, with its certificate and at least TLS 1.2', () => {
    const domain = { name: 'gpu.example.com', certificate };
    const { template } = stackOf(synthesizeWith({ domain }), 'Platform');
    const { Outputs } = template.toJSON();
    expect([Outputs.JobApiUrl.Value, Outputs.ManagementApiUrl.Value]).toEqual([
      'https://gpu.example.com/v2',
      'https://gpu.example.com/v1',
    ]);
    expect(JSON.stringify(Outputs.DistributionDomain.Value)).toContain('DomainName');
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['gpu.example.com'],
        ViewerCertificate: {
          AcmCertificateArn: certificate,
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        },
      },
    });
  });
});
