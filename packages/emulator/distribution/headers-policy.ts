/** Response headers policies, which add headers to the responses of an origin. */
import type { HttpAnswer } from '../gateway/gateway-response.ts';
import type { HeadersPolicyDefinition } from './definitions.ts';

type Header = HttpAnswer['headers'][number];

/** Returns the headers of a policy. */
export function headersOf({ properties }: HeadersPolicyDefinition): Header[] {
  const { SecurityHeadersConfig = {}, CustomHeadersConfig } = properties.ResponseHeadersPolicyConfig;
  const { ContentSecurityPolicy, ContentTypeOptions, FrameOptions, ReferrerPolicy, StrictTransportSecurity } =
    SecurityHeadersConfig;
  const headers: Header[] = [];
  if (ContentSecurityPolicy) headers.push(['Content-Security-Policy', ContentSecurityPolicy.ContentSecurityPolicy]);
  if (ContentTypeOptions) headers.push(['X-Content-Type-Options', 'nosniff']);
  if (FrameOptions) headers.push(['X-Frame-Options', FrameOptions.FrameOption]);
  if (ReferrerPolicy) headers.push(['Referrer-Policy', ReferrerPolicy.ReferrerPolicy]);
  if (StrictTransportSecurity) {
    const { AccessControlMaxAgeSec, IncludeSubdomains, Preload } = StrictTransportSecurity;
    const parts = [`max-age=${AccessControlMaxAgeSec}`];
    if (IncludeSubdomains) parts.push('includeSubDomains');
    if (Preload) parts.push('preload');
    headers.push(['Strict-Transport-Security', parts.join('; ')]);
  }
  for (const { Header, Value } of CustomHeadersConfig?.Items ?? []) headers.push([Header, Value]);
  return headers;
}

/** Adds the headers of a policy to a response. They replace headers of the same names. */
export function withPolicy(headers: HttpAnswer['headers'], policy: readonly Header[]): HttpAnswer['headers'] {
  const replaced = new Set(policy.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...policy];
}
