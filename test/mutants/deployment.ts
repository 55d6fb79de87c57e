/** Breaks of what a deployment sets for the account as a whole: TLS, slots of calls that wait, and reservations. */
import type { Mutant } from './mutant.ts';

const TRANSPORT = 'test/lib/transport.test.ts';

export const deploymentMutants: readonly Mutant[] = [
  {
    name: 'the interfaces accept TLS 1.0',
    file: 'lib/api.ts',
    replace: '    api.node.defaultChild.securityPolicy = tls.policy;\n',
    by: '',
    test: TRANSPORT,
    named: 'refuse TLS below',
  },
  {
    name: 'a request may name another host than its handshake',
    file: 'lib/api.ts',
    replace: 'mode: EndpointAccessMode.STRICT',
    by: 'mode: EndpointAccessMode.BASIC',
    test: TRANSPORT,
    named: 'refuse TLS below',
  },
  {
    name: 'a queue takes requests without TLS',
    file: 'lib/ledger.ts',
    replace: '      enforceSSL: true,\n',
    by: '',
    test: TRANSPORT,
    named: 'each queue',
  },
];
