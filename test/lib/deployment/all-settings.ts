/** Every setting of an environment, with endpoints, pools and a template that add all kinds of resources. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { declare, declarePool, type SynthesizedStack, synthesizeWith } from '../synthesis.ts';

const COMPLETE = 'bin/reference/examples/environment-complete.yaml';
const { account: _, region: __, ...complete } = parse(readFileSync(COMPLETE, 'utf8')) as Record<string, unknown>;
const { waits: ___, ...withoutWaits } = complete;

/** Each set has the settings that can be used together. */
export const sets = {
  'all settings': complete,
  'all settings and a new VPC': { ...complete, network: { availabilityZones: ['eu-west-1a', 'eu-west-1b'] } },
  'all settings without the ingress': { ...withoutWaits, otlp: 'cloudwatch', ingress: 'off', readQuota: '2026-01-31' },
} as const;

export type SetName = keyof typeof sets;
export const setNames = Object.keys(sets) as SetName[];

const pools = [
  declarePool('nvidia', { warmInstances: 1 }),
  declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.xlarge'] }),
];
const endpoints = [declare('echo'), declare('gpu', { capacity: 'nvidia' })];
const official = { id: 'official', name: 'Official', imageName: 'team/official:1' };

/** Returns the declarations with settings, in the order of the parameters of `synthesizeWith`. */
export const declarationsWith = (settings: object) => [settings, endpoints, pools, [official]] as const;

/** Synthesizes all stacks with a set of settings. */
export const synthesizeSet = (name: SetName): Record<string, SynthesizedStack> =>
  synthesizeWith(...declarationsWith(sets[name]));
