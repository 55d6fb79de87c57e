import { describe, expect, it } from '@jest/globals';
import { capacityRefusals, type Place, refusalSentence } from '../../core/templates/capacity-rules.ts';
import type { Template } from '../../core/templates/template.ts';
import { AGENT_PORT } from '../../core/workers/protocol.ts';
import { templateOf } from './settings.ts';

const fargate: Place = { category: 'CPU', largestDiskInGb: 200, imageRepositories: [] };
const pool: Place = { category: 'NVIDIA', largestDiskInGb: 25, imageRepositories: [] };
const agents = [`22/tcp`, `${AGENT_PORT}/http`];

const refused = (differences: Partial<Template>, place: Place) =>
  [...capacityRefusals(templateOf(differences), place)].map(([field]) => field);

describe('a template', () => {
  it.each<[Partial<Template>, Place, string[]]>([
    [{}, fargate, []],
    [{ containerDiskInGb: 200 }, fargate, []],
    [{ containerDiskInGb: 201 }, fargate, ['containerDiskInGb']],
    [{ category: 'NVIDIA', containerDiskInGb: 25 }, pool, []],
    [{ category: 'NVIDIA', containerDiskInGb: 26 }, pool, ['containerDiskInGb']],
    [{ category: 'AMD' }, pool, ['category']],
    [{}, pool, ['category']],
    [{ isServerless: false }, fargate, ['isServerless']],
    [{ volumeInGb: 4000 }, fargate, []],
    [{ category: 'NVIDIA', volumeInGb: 4000 }, pool, []],
    [{ ports: ['8080/http', '8080/tcp'] }, fargate, []],
    [{ ports: agents }, fargate, ['ports']],
    [
      { isServerless: false, category: 'AMD', containerDiskInGb: 26, ports: agents },
      pool,
      ['isServerless', 'category', 'containerDiskInGb', 'ports'],
    ],
  ])('with %j on the capacity %j has the unsupported fields %j', (differences, place, fields) => {
    expect(refused(differences, place)).toEqual(fields);
  });

  it('has no refusal message if all fields are supported', () => {
    expect(refusalSentence([])).toBeUndefined();
  });
});
