/** Finds the addresses that clients call in each partition, without calling them. */

interface Client {
  readonly config: object;
  send(command: never): Promise<unknown>;
}

interface Compared {
  readonly own: () => Client;
  readonly sdk: () => Client;
  /** A command of each client. */
  readonly commands: readonly [object, object];
}

const REGIONS = ['us-east-1', 'eu-central-1', 'cn-north-1', 'us-gov-west-1', 'us-iso-east-1'];
const CHOICES = [
  {},
  { AWS_USE_FIPS_ENDPOINT: 'true' },
  { AWS_USE_DUALSTACK_ENDPOINT: 'true' },
  { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
];

async function addressOf(client: Client, command: object): Promise<string> {
  let address = '';
  const requestHandler = {
    async handle({ protocol, hostname, path }: Record<'protocol' | 'hostname' | 'path', string>) {
      address = `${protocol}//${hostname}${path}`;
      throw new Error('This test sends no request.');
    },
  };
  Object.assign(client.config, { requestHandler });
  // The SDK refuses some choices, for example dual-stack endpoints in a partition without them.
  await client.send(command as never).catch(() => undefined);
  return address;
}

/** @returns the addresses, in the same order, that both clients call; the SDK's refusals are left out */
export async function addressesIn({ own, sdk, commands }: Compared) {
  const before = { ...process.env };
  const addresses: { own: string[]; sdk: string[] } = { own: [], sdk: [] };
  try {
    for (const AWS_REGION of REGIONS)
      for (const choice of CHOICES) {
        const rest = Object.entries(before).filter(([name]) => !name.startsWith('AWS_'));
        process.env = {
          ...Object.fromEntries(rest),
          AWS_REGION,
          AWS_ACCESS_KEY_ID: 'key',
          AWS_SECRET_ACCESS_KEY: 'secret',
          ...choice,
        };
        const expected = await addressOf(sdk(), commands[1]);
        if (!expected) continue;
        addresses.sdk.push(expected);
        addresses.own.push(await addressOf(own(), commands[0]));
      }
  } finally {
    process.env = before;
  }
  return addresses;
}
