import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '../../core/requests/errors.ts';
import { validateSecret } from '../../core/requests/validation.ts';
import { webhookUrl } from '../../core/webhooks/url.ts';
import { misleadingUrls, publicAddresses, refusedUrls } from './egress/hostile-urls.ts';

const submit = (webhook: unknown, allow?: readonly string[]) => validateSecret(webhookUrl(allow), webhook, 'webhook');

describe('a webhook', () => {
  it.each([
    'https://example.com',
    'https://example.com/hook?token=a%20b&c=d',
    'HTTPS://EXAMPLE.COM:443/',
    'http://example.com:80/',
    'http://example.com:1024/',
    'https://example.com:65535/',
    'https://bücher.example/ü?ü',
    'https://hooks/',
    'https://example.com./@user/a:b',
    `https://example.com/${'a'.repeat(2048 - 'https://example.com/'.length)}`,
    ...publicAddresses.map((address) => `https://${address.includes(':') ? `[${address}]` : address}/`),
  ])('may be %s, which is not changed', (url) => {
    expect(submit(url)).toBe(url);
  });

  it.each([
    [7, '`webhook` must be a string, got 7.'],
    [null, '`webhook` must be a string, got null.'],
    ['', '`webhook` must begin with http:// or https:// and a host.'],
    ['nope', '`webhook` must begin with http:// or https:// and a host.'],
    ['ftp://a.test/', '`webhook` must begin with http:// or https:// and a host, got "ftp:".'],
    [
      'https://a.test/ b',
      '`webhook` must not contain white space, control characters or backslashes: percent-encode them.',
    ],
    ['https://user:pass@a.test/', '`webhook` must not contain a user name or password before the host.'],
    ['https://a.test/#b', '`webhook` must not contain a fragment: remove # and the text after it.'],
    ['https://a.test:x/', '`webhook` must be a URL such as https://example.com/hook.'],
    ['https://a.test:22/', '`webhook` must have port 80, 443 or a port from 1024 to 65535, got 22.'],
    [`https://a.test/${'a'.repeat(2034)}`, '`webhook` must have at most 2048 characters, got 2049.'],
    ['http://0xA9FEA9FE/', '`webhook` must have a public address, got 169.254.169.254.'],
    ['https://[::ffff:10.0.0.1]/', '`webhook` must have a public address, got ::ffff:a00:1.'],
  ])('%j is refused: %s', (url, sentence) => {
    expect(() => submit(url)).toThrow(new InvalidRequest(sentence));
  });

  it.each(refusedUrls)('%j is refused, and the message shows nothing after its host', (url) => {
    expect(() => submit(url)).toThrow(InvalidRequest);
    expect(() => submit(`${url}SECRET`)).not.toThrow('SECRET');
  });

  it.each(misleadingUrls)('%s is accepted, because its address is checked when it is called', (url) => {
    expect(submit(url)).toBe(url);
  });

  it('must have a public address, or an address that the operator allows', () => {
    const allow = ['127.0.0.1', '::1'];
    for (const url of ['http://127.0.0.1:3000/', 'http://[::1]:3000/', 'http://2130706433/'])
      expect(submit(url, allow)).toBe(url);
    for (const url of ['http://127.0.0.2:3000/', 'http://[::ffff:127.0.0.1]/', 'http://169.254.169.254/'])
      expect(() => submit(url, allow)).toThrow('must have a public address');
    expect(() => submit('http://127.0.0.1:22/', allow)).toThrow('must have port');
  });
});
