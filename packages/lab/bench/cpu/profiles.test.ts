import { describe, expect, it } from '@jest/globals';
import { type CpuProfile, functionsOf, IDLE_IN_WORKERS, placeOf, rowOf, splitOf } from './attribution.ts';
import { partOfWorker } from './profiles.ts';

const frame = (functionName: string, url: string, lineNumber = 0, columnNumber = 0) => ({
  functionName,
  url,
  lineNumber,
  columnNumber,
});
const gateway = frame('handle', 'file:///r/packages/emulator/gateway/handle.ts', 9);
/** A server calls the gateway, which calls Node.js, which calls a built-in function. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 3, 6, 7] },
    { id: 2, callFrame: frame('onRead', 'node:net', 4), children: [4] },
    { id: 3, callFrame: frame('(idle)', '') },
    { id: 4, callFrame: gateway, children: [5] },
    { id: 5, callFrame: frame('send', 'node:_http_outgoing'), children: [8] },
    { id: 6, callFrame: frame('(garbage collector)', '') },
    { id: 7, callFrame: frame('(program)', '') },
    { id: 8, callFrame: frame('writev', '') },
  ],
  samples: [3, 2, 4, 5, 5, 8, 6, 7],
  timeDeltas: [1_000, 100, 100, 100, 100, 200, 200, 200],
};

describe('the attribution of a profile', () => {
  it('counts own time by folder, and time of called Node.js code for its nearest caller in this repository', () => {
    expect(Object.fromEntries(splitOf(profile))).toEqual({
      'gateway and distribution': { self: 0.1, withCalled: expect.closeTo(0.5) },
      'Node.js (http, net, streams, ...)': { self: expect.closeTo(0.5), withCalled: 0.1 },
      'garbage collector': { self: 0.2, withCalled: 0.2 },
      'native code': { self: 0.2, withCalled: 0.2 },
    });
  });

  it('lists functions by their own time, and built-in ones with their caller', () => {
    expect(functionsOf(profile)).toContainEqual({
      name: 'writev',
      place: 'from packages/emulator/gateway/handle.ts:10',
      share: 0.2,
    });
    expect(functionsOf(profile)).toContainEqual({
      name: 'handle',
      place: 'packages/emulator/gateway/handle.ts:10',
      share: 0.1,
    });
    expect(functionsOf(profile).map(({ name }) => name)).not.toContain('(idle)');
  });

  it('leaves out the native code of worker threads, most of which is waiting', () => {
    const [first] = functionsOf(profile, IDLE_IN_WORKERS);
    expect(first?.share).toBe(0.25);
    expect(functionsOf(profile, IDLE_IN_WORKERS).map(({ name }) => name)).not.toContain('(program)');
  });

  it.each([
    ['file:///r/packages/emulator/aws-proxy/server.ts', 'AWS proxy and IAM'],
    ['file:///r/packages/emulator/iam/evaluate.ts', 'AWS proxy and IAM'],
    ['file:///r/packages/emulator/distribution/server.ts', 'gateway and distribution'],
    ['file:///r/packages/emulator/events/events.ts', 'streams, events and step functions'],
    ['file:///r/packages/emulator/ecs/task.ts', 'ECS and logs'],
    ['file:///r/packages/emulator/functions/call.ts', 'calls of functions'],
    ['file:///r/packages/emulator/state/state-directory.ts', 'other code of npm start'],
    ['file:///r/node_modules/x/emulator/gateway/a.js', 'packages'],
    ['node:internal/streams/writable', 'Node.js (http, net, streams, ...)'],
    ['', 'Node.js (http, net, streams, ...)'],
  ])('counts code of %s as "%s"', (url, row) => {
    expect(rowOf(frame('f', url))).toBe(row);
  });

  it.each([
    [frame('f', 'file:///r/packages/emulator/gateway/handle.ts', 9), 'packages/emulator/gateway/handle.ts:10'],
    [frame('f', 'file:///r/node_modules/@smithy/core/dist/index.js', 1), '@smithy/core/dist/index.js:2'],
    [frame('f', 'file:///s/assembly/asset.0123456789abcdef/index.js', 1, 4), '012345/index.js:2:5'],
    [frame('f', 'node:net', 0), 'node:net:1'],
    [frame('writev', ''), ''],
  ])('shows the place of %j as "%s"', (of, place) => {
    expect(placeOf(of)).toBe(place);
  });
});

describe('the part of a profile', () => {
  it('is found by the title of the worker thread', () => {
    expect(partOfWorker('[worker 12] JobsRun')).toBe('/run');
    expect(partOfWorker('[worker 3] SweeperSweep')).toBe('function SweeperSweep');
  });
});
