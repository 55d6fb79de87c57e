import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Template } from '../../cloudformation/template.ts';
import { createSharedFunctions, eventually, functionResource, newFolder, startSmallService } from '../small-service.ts';
import { holdTime, passTime } from '../time-limits.ts';

/** A function that appends every event to a file, and responds as the property `outcome` specifies. */
const code = `
const { appendFileSync } = require('node:fs');
exports.handler = async (event) => {
  appendFileSync(process.env.EVENTS, JSON.stringify(event) + '\\n');
  const { outcome, name } = event.ResourceProperties;
  if (outcome === 'throw') throw new Error('no table');
  if (outcome === 'silence') return;
  const answer = outcome === 'fail'
    ? { Status: 'FAILED', Reason: 'the name is taken' }
    : { Status: 'SUCCESS', PhysicalResourceId: name, Data: { Address: 'at ' + name } };
  await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(answer) });
};`;

const functions = createSharedFunctions();
const events = join(newFolder(), 'events');
let stateDir: string;

beforeEach(() => {
  stateDir = newFolder();
});
afterEach(() => {
  jest.useRealTimers();
});
afterAll(() => functions.stop());

const thing = (properties: Record<string, unknown>) => ({
  Type: 'Custom::Thing',
  Properties: { ServiceToken: { 'Fn::GetAtt': ['Handler', 'Arn'] }, ServiceTimeout: '60', ...properties },
});

/**
 * Deploys a stack with these resources.
 * @returns the events that the deployment caused
 */
async function deploy(things: Template['Resources'], reads: Readonly<Record<string, string>> = {}) {
  rmSync(events, { force: true });
  const handler = functionResource('handler', { Timeout: 120, Environment: { Variables: { EVENTS: events } } });
  const Outputs = { Address: { Value: { 'Fn::GetAtt': ['Thing', 'Address'] } } };
  const stacks = { Only: { Resources: { Handler: handler, ...things }, Outputs } };
  const service = await startSmallService(stacks, code, { stateDir, functions, reads });
  await service.stop();
  const lines = existsSync(events) ? readFileSync(events, 'utf8').trim().split('\n') : [];
  return { outputs: service.outputs.Only, events: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('a custom resource', () => {
  it('is created one time, and its function gets every scalar as a string', async () => {
    const first = await deploy({ Thing: thing({ name: 'a', workers: 3, on: true, list: [1, { x: null }] }) });
    expect(first.events).toEqual([
      {
        RequestType: 'Create',
        StackId: expect.stringContaining('stack/Only/'),
        RequestId: expect.any(String),
        ResponseURL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
        LogicalResourceId: 'Thing',
        ResourceType: 'Custom::Thing',
        ServiceToken: expect.any(String),
        ResourceProperties: {
          ServiceToken: expect.any(String),
          ServiceTimeout: '60',
          name: 'a',
          workers: '3',
          on: 'true',
          list: ['1', { x: 'null' }],
        },
      },
    ]);
    expect(first.outputs).toEqual({ Address: 'at a' });

    const second = await deploy({ Thing: thing({ name: 'a', workers: 3, on: true, list: [1, { x: null }] }) });
    expect(second).toEqual({ events: [], outputs: { Address: 'at a' } });
  });

  it('is updated when its properties change', async () => {
    await deploy({ Thing: thing({ name: 'a', workers: 3 }) });
    const { events: seen } = await deploy({ Thing: thing({ name: 'a', workers: 4 }) });
    expect(seen).toEqual([
      expect.objectContaining({
        RequestType: 'Update',
        PhysicalResourceId: 'a',
        ResourceProperties: expect.objectContaining({ workers: '4' }),
        OldResourceProperties: expect.objectContaining({ workers: '3' }),
      }),
    ]);
  });

  it('is updated when the account values of its type change, but not when those of another type change', async () => {
    const things = { Thing: thing({ name: 'a' }) };
    await deploy(things, { 'Custom::Thing': '1000' });
    expect((await deploy(things, { 'Custom::Thing': '1000', 'Custom::Other': '3' })).events).toEqual([]);
    const { events: seen } = await deploy(things, { 'Custom::Thing': '50' });
    expect(seen).toEqual([expect.objectContaining({ RequestType: 'Update', PhysicalResourceId: 'a' })]);
    expect((await deploy(things, { 'Custom::Thing': '50' })).events).toEqual([]);
  });

  it('is replaced when its physical id changes', async () => {
    await deploy({ Thing: thing({ name: 'a' }) });
    const { events: seen } = await deploy({ Thing: thing({ name: 'b' }) });
    expect(seen).toEqual([
      expect.objectContaining({ RequestType: 'Update', PhysicalResourceId: 'a' }),
      expect.objectContaining({ RequestType: 'Delete', PhysicalResourceId: 'a' }),
    ]);
  });

  it('is deleted when no template contains it', async () => {
    await deploy({ Thing: thing({ name: 'a' }), Other: thing({ name: 'o' }) });
    const { events: seen } = await deploy({ Thing: thing({ name: 'a' }) });
    expect(seen).toEqual([
      expect.objectContaining({
        RequestType: 'Delete',
        PhysicalResourceId: 'o',
        ResourceProperties: expect.objectContaining({ name: 'o' }),
      }),
    ]);
    expect((await deploy({ Thing: thing({ name: 'a' }) })).events).toEqual([]);
  });

  it('is deleted before the next stack is deployed, or after all stacks if its own stack was removed', async () => {
    const handler = functionResource('handler', { Timeout: 120, Environment: { Variables: { EVENTS: events } } });
    const token = { 'Fn::GetAtt': ['Handler', 'Arn'] };
    const named = (name: string) => ({
      Type: 'Custom::Thing',
      Properties: { ServiceToken: { 'Fn::ImportValue': 'token' }, ServiceTimeout: '60', name },
    });
    const base = { Resources: { Handler: handler }, Outputs: { Token: { Value: token, Export: { Name: 'token' } } } };
    const deployAll = async (stacks: Record<string, Template>) => {
      rmSync(events, { force: true });
      await (await startSmallService({ Base: base, ...stacks }, code, { stateDir, functions })).stop();
      const lines = readFileSync(events, 'utf8').trim().split('\n');
      return lines
        .map((line) => JSON.parse(line))
        .map((event) => `${event.RequestType} ${event.ResourceProperties.name}`);
    };
    await deployAll({
      First: { Resources: { Kept: named('kept'), Left: named('left') } },
      Gone: { Resources: { Thing: named('gone') } },
      Last: { Resources: { Thing: named('last') } },
    });
    expect(
      await deployAll({
        First: { Resources: { Kept: named('kept') } },
        Last: { Resources: { Thing: named('last, renamed') } },
      }),
    ).toEqual(['Delete left', 'Update last, renamed', 'Delete last', 'Delete gone']);
  });

  it('is retried at the next start if it failed', async () => {
    await expect(deploy({ Thing: thing({ name: 'a', outcome: 'fail' }) })).rejects.toThrow();
    const { events: seen } = await deploy({ Thing: thing({ name: 'a' }) });
    expect(seen).toEqual([expect.objectContaining({ RequestType: 'Create' })]);
  });

  it.each([
    ['fail', 'Only/Thing (Custom::Thing) failed to create: the name is taken'],
    ['throw', 'Only/Thing (Custom::Thing) failed to create: no table'],
    ['silence', 'Only/Thing (Custom::Thing) failed to create: no response within 60 seconds'],
  ])('stops the start if its function has the outcome %s', async (outcome, sentence) => {
    holdTime();
    const failed = expect(deploy({ Thing: thing({ name: 'a', outcome }) })).rejects.toThrow(sentence);
    await eventually('the function is called', () => existsSync(events));
    if (outcome === 'silence') await passTime(60_000);
    await failed;
  });
});
