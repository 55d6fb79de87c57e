/** Tests the daily call that keeps the VPC link active, over API Gateway and the ingress as the stacks declare them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLink } from '../../aws/link.ts';
import { DAY, SWEEP } from '../../core/limits.ts';
import { linkRoute, stages } from '../../core/operations/routes.ts';
import { keepLinkActive } from '../../core/sweeper/link.ts';
import { type DeployedGateway, startDeployedGateway } from '../authorizer/deployed-gateway.ts';
import { stackOf, synthesize, synthesizeWith } from '../lib/synthesis.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let gateway: DeployedGateway;
beforeAll(async () => {
  gateway = await startDeployedGateway(emulated.ports);
});
afterAll(() => gateway.stop());

const path = `/${stages.jobs}${linkRoute.path}`;
const MIDNIGHT = Date.parse('2026-11-28T00:00:00Z');

/** Requests that came through the VPC link, without the health checks of the load balancer. */
const throughLink = () => gateway.reached.filter((url) => url?.includes('/gateway/'));
const at = (now: number) => ({ now: () => now, pause: () => Promise.resolve() });

describe('the VPC link', () => {
  it('gets one request in all sweeps of a day, wherever in the minute they begin', async () => {
    const sweeps = DAY / SWEEP;
    for (const offset of [0, 17_000, 59_999]) {
      const calls: number[] = [];
      for (let n = 0; n < sweeps; n += 1) {
        const now = MIDNIGHT + offset + n * SWEEP;
        const call = async () => void calls.push(now);
        await keepLinkActive({ clock: at(now), link: { call } });
      }
      expect(calls).toEqual([MIDNIGHT + offset]);
    }
  });

  it('carries the request to the ingress when it is due, and none at another time', async () => {
    const link = createLink(`${gateway.url}${path}`);
    const before = throughLink().length;
    expect(await keepLinkActive({ clock: at(MIDNIGHT + SWEEP), link })).toBe(false);
    expect(throughLink()).toHaveLength(before);
    expect(await keepLinkActive({ clock: at(MIDNIGHT + SWEEP - 1), link })).toBe(true);
    expect(throughLink().slice(before)).toEqual([expect.stringMatching(/^(?:\/v2)?\/gateway\/ingress\.health$/)]);
  });

  it('carries the request of a caller without a key, and no other path without a key', async () => {
    expect(await gateway.ask('GET', path, undefined)).toMatchObject({ status: 200, body: '' });
    const before = throughLink().length;
    expect(await gateway.ask('POST', path, undefined)).toMatchObject({ status: 404 });
    expect(await gateway.ask('HEAD', path, undefined)).toMatchObject({ status: 405 });
    expect(await gateway.ask('GET', `${path}/x`, undefined)).toMatchObject({ status: 404 });
    expect(throughLink()).toHaveLength(before);
    // The direct route, which the distribution reaches, has no such path.
    expect(await gateway.askDirectly('GET', path, undefined)).toMatchObject({ status: 404 });
  });

  it('reports an answer other than success', async () => {
    const link = createLink(`${gateway.url}/${stages.jobs}/unknown`);
    await expect(keepLinkActive({ clock: at(MIDNIGHT), link })).rejects.toThrow('The ingress has answered 404');
  });

  it('is called by the sweeper at the address of the method, without a permission', () => {
    const addressOf = (settings?: object) => {
      const { template } = stackOf(settings ? synthesizeWith(settings) : synthesize(), 'Platform');
      const functions = Object.values(template.findResources('AWS::Lambda::Function'));
      const addresses = functions.map(({ Properties }) => Properties.Environment?.Variables?.LINK_URL);
      return addresses.filter((address) => address !== undefined);
    };
    const [address, ...others] = addressOf();
    expect(others).toEqual([]);
    expect(JSON.stringify(address)).toMatch(/"https:\/\/",\{"Ref":"JobAddressApi\w+"\}.*\/v2\/ingress\.health"/);
    expect(addressOf({ ingress: 'off' })).toEqual([]);
  });
});
