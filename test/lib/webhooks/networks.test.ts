import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { webhookNetworksOf } from '../../../lib/webhooks/networks.ts';

const networksOf = (webhookNetworks: unknown) => webhookNetworksOf(new App({ context: { webhookNetworks } }));

describe('the setting of private networks for webhooks', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['10.1.0.0/16', ['10.1.0.0/16']],
    ['10.1.0.0/16, 192.168.7.9,fd12:3456::/48', ['10.1.0.0/16', '192.168.7.9', 'fd12:3456::/48']],
  ])('accepts %j', (setting, networks) => {
    expect(networksOf(setting)).toEqual(networks);
  });

  it.each([
    '10.1.0.0/16,',
    'localhost',
    '0.0.0.0/0',
    '169.254.169.254',
    'fd00:ec2::254',
    '127.0.0.1',
    '10.1.0.0/16,127.0.0.0/8',
    '::1',
    '0:0:0:0:0:0:0:1',
    ['10.1.0.0/16'],
    10,
    true,
  ])('rejects %j', (setting) => {
    expect(() => networksOf(setting)).toThrow('The context `webhookNetworks` must be private networks such as');
  });
});
