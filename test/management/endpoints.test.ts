import { beforeAll, describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { endpoints } from '../../core/management/endpoints.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

const listed = async (...permitted: string[]) => {
  const ports = portsWith(emulated.ports, { templates: { read: async () => undefined } });
  return (await endpoints(ports, { owner: 'ada', permitted })).endpoints;
};

beforeAll(async () => {
  for (const id of ['echo', 'other']) await emulated.deploy(id);
});

describe('the list of endpoints', () => {
  it('has only the endpoints that the caller may call', async () => {
    expect((await listed('*')).map(({ id }) => id)).toEqual(['echo', 'other']);
    expect((await listed('other', 'missing')).map(({ id }) => id)).toEqual(['other']);
    expect(await listed()).toEqual([]);
  });

  it('has the id of a template that no longer exists, and no image', async () => {
    const [echo] = await listed('echo');
    expect(echo?.template).toEqual({ id: expect.any(String) });
    expect(echo).not.toHaveProperty('image');
  });
});
