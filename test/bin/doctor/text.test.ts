import { expect, it } from '@jest/globals';
import { textsOf } from '../../../bin/doctor/text.ts';

it('names checks with the same result in one text, in the order of the first', () => {
  const notChecked = { level: 'warning', found: 'Not checked. No credentials.', fix: 'aws sso login' } as const;
  expect(
    textsOf([
      { check: 'Zones', ...notChecked },
      { check: 'Region', level: 'ok', found: 'eu-west-1' },
      { check: 'Quotas', ...notChecked },
    ]),
  ).toEqual([
    'warning    Zones, Quotas: Not checked. No credentials.\n           fix: aws sso login',
    'ok         Region: eu-west-1',
  ]);
});
