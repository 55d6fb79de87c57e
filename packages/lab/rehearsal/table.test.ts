import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { resourceTypeOf } from '../../emulator/cloudformation/resource-types.ts';
import { retained } from './left.ts';
import { printedTable, withTable } from './table.ts';
import { typeRules } from './types.ts';

describe('docs/reference/rehearsal.md', () => {
  const page = readFileSync('docs/reference/rehearsal.md', 'utf8');

  it('has the current table of resources that the rehearsal omits: npm run rehearse -w packages/lab -- --write', () => {
    expect(page).toBe(withTable(page));
  });
});

describe('docs/guides/remove.md', () => {
  it('lists the retained resources with the names that the rehearsal uses', () => {
    const page = readFileSync('docs/guides/remove.md', 'utf8');
    for (const row of Object.keys(retained)) expect(page).toMatch(new RegExp(`^\\| ${row} +\\| \``, 'm'));
  });
});

describe('the rules', () => {
  it('are sorted by type, and each type has one rule', () => {
    const types = typeRules.map(({ type }) => type);
    expect(types).toEqual([...new Set(types)].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('name `npm start` only for types that it implements', () => {
    const without = typeRules.filter(({ type, shownBy }) => {
      const here = resourceTypeOf(type);
      return shownBy.includes('npm start') && (here === undefined || 'reason' in here);
    });
    expect(without.map(({ type }) => type)).toEqual([]);
  });

  it('include each type that `npm start` supports', () => {
    const known = globSync('packages/emulator/cloudformation/resource-types.ts').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/'(AWS::\w+::\w+)':/g)].map(([, type = '']) => type),
    );
    const types = typeRules.map(({ type }) => type);
    expect(known.filter((type) => !types.includes(type))).toEqual([]);
  });
});

describe('the printed table', () => {
  const table = printedTable(
    new Map([
      ['AWS::EC2::NatGateway', { made: 0, leftOut: 1 }],
      ['AWS::DynamoDB::Table', { made: 11, leftOut: 0 }],
    ]),
  );

  it('has a line for each type in the templates, with its numbers and the facts that stay unproven', () => {
    expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['resource type', 'all', 'made', 'left out', 'in the rehearsal', 'not proven', 'shown instead by'],
      ['AWS::DynamoDB::Table', '11', '11', '0', 'used', 'time to live, recovery, capacity', 'npm start: time to live'],
      [
        'AWS::EC2::NatGateway',
        ...['1', '0', '1', 'left out', 'the route from private subnets to the internet', 'nothing yet'],
      ],
    ]);
  });
});
