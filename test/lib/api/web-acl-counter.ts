/** Counts requests as AWS WAF does with the rules of a synthesized web ACL. Supports only what these rules use. */

/** Id of the stack with the distribution, whose last part is the proof. */
const STACK_ID = 'arn:aws:cloudformation:eu-west-1:123456789012:stack/gpu-endpoints-Platform/PART';

export const PROOF = 'PART';

/** Returns a text of the template of `Platform`, or of a stack that reads its proof. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, argument] = []] = Object.entries(value as Record<string, unknown>);
  if (name === 'Ref' && argument === 'AWS::StackId') return STACK_ID;
  if (name === 'Ref' && argument === 'PlatformProof') return PROOF;
  if (name === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return parts.map(textOf).join(separator);
  }
  if (name === 'Fn::Select') {
    const [at, list] = argument as [number, { 'Fn::Split': [string, unknown] }];
    const [separator, text] = list['Fn::Split'];
    return textOf(text).split(separator)[at] ?? '';
  }
  throw new Error(`This value is not supported: ${JSON.stringify(value)}.`);
}

export interface AclRequest {
  /** Address of the sender, which is a proxy or a client. */
  readonly address: string;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Statement {
  readonly ByteMatchStatement?: {
    readonly FieldToMatch: { readonly SingleHeader: { readonly Name: string } };
    readonly PositionalConstraint: string;
    readonly SearchString: unknown;
  };
  readonly NotStatement?: { readonly Statement: Statement };
}

interface Rule {
  readonly Statement: {
    readonly RateBasedStatement: {
      readonly Limit: number;
      readonly AggregateKeyType: string;
      readonly CustomKeys?: readonly { readonly Header: { readonly Name: string } }[];
      readonly ScopeDownStatement: Statement;
    };
  };
}

function matches({ ByteMatchStatement: bytes, NotStatement: not }: Statement, request: AclRequest): boolean {
  if (not) return !matches(not.Statement, request);
  if (!bytes) throw new Error('This statement is not supported.');
  const header = request.headers[bytes.FieldToMatch.SingleHeader.Name];
  const wanted = textOf(bytes.SearchString);
  if (bytes.PositionalConstraint === 'EXACTLY') return header === wanted;
  if (bytes.PositionalConstraint === 'STARTS_WITH') return header?.startsWith(wanted) ?? false;
  throw new Error(`${bytes.PositionalConstraint} is not supported.`);
}

/**
 * Returns a function that counts a request of one evaluation window, for all associated resources together.
 * @returns whether the web ACL admits the request
 */
export function admits(rules: readonly Rule[]): (request: AclRequest) => boolean {
  const counts = new Map<string, number>();
  return (request) =>
    rules.every(({ Statement: { RateBasedStatement: rate } }, at) => {
      if (!matches(rate.ScopeDownStatement, request)) return true;
      const header = rate.CustomKeys?.[0]?.Header.Name;
      const value = header === undefined ? request.address : request.headers[header];
      const key = `${at} ${value}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= rate.Limit;
    });
}
