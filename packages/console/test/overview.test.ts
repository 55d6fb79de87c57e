/** Tests of the overview, and of addresses that contain its state. */
import { describe, expect, it } from '@jest/globals';
import { firstCall } from '../endpoint/first-call.ts';
import { isUnused, matching, totalsOf } from '../pages/overview/matching.ts';
import { rowOf } from '../pages/overview/trouble.ts';
import { withParameters } from '../shell/parameter.ts';
import { endpointOf } from './endpoints.ts';

const sdxl = rowOf(
  endpointOf('sdxl', {
    image: 'registry.example/Diffusion:1',
    jobs: { inQueue: 4, inProgress: 1 },
    workers: { ready: 1, running: 1 },
  }),
  [],
);
const idle = rowOf(endpointOf('idle', { waitReason: 'NO_CAPACITY', workers: { ready: 2 } }), []);

describe('the overview', () => {
  it('finds endpoints by name, image and template, ignoring case', () => {
    const all = [sdxl, idle];
    expect(matching(all, ' diffusion ')).toEqual([sdxl]);
    expect(matching(all, 'template idle')).toEqual([idle]);
    expect(matching(all, '')).toEqual(all);
    expect(matching(all, 'nothing')).toEqual([]);
  });

  it('sums jobs, workers and endpoints with problems', () => {
    expect(totalsOf([sdxl, idle])).toEqual({ trouble: 1, waiting: 4, running: 1, workers: 3 });
  });

  it('explains the first job until an endpoint has had a job', () => {
    expect(isUnused([endpointOf('a'), endpointOf('b')])).toBe(true);
    expect(isUnused([endpointOf('a'), endpointOf('b', { jobs: { failed: 1 } })])).toBe(false);
  });

  it('shows a first call with the address of the service and a variable for the key', () => {
    const lines = firstCall('https://console.example', 'sdxl').split('\n');
    expect(lines[0]).toBe('curl -X POST "https://console.example/v2/sdxl/runsync?wait=30000" \\');
    expect(lines[1]).toContain('Bearer $API_KEY');
  });
});

describe('the address of a page', () => {
  it('keeps other parameters and drops emptied parameters', () => {
    const present = new URLSearchParams('tab=jobs&status=FAILED');
    expect(withParameters(present, { status: undefined, cursor: 'abc' }).toString()).toBe('tab=jobs&cursor=abc');
    expect(withParameters(present, { status: '' }).toString()).toBe('tab=jobs');
    expect(present.toString()).toBe('tab=jobs&status=FAILED');
  });
});
