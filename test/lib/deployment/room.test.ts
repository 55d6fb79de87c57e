/** Tests how much room all settings together leave in each stack, below the limits of CloudFormation and IAM. */
import { describe, expect, it } from '@jest/globals';
import { type Size, sizesOf } from '../../../bin/assembly/sizes.ts';
import { environmentSettings } from '../../../lib/deployment/environments.ts';
import { type SetName, setNames, sets, synthesizeSet } from './all-settings.ts';

/** Resources of a stack. The rest, up to 500, is for the routes and functions of later versions. */
const MAX_RESOURCES = 350;
/** Share of every other limit. */
const MAX_SHARE = 0.7;

const sizesWith = (name: SetName): Size[] =>
  Object.entries(synthesizeSet(name)).flatMap(([stack, { text }]) => sizesOf(stack, text));

/** Shows the size beside its limit, such as `Platform: 329 resources of 500, room for 171`. */
const shown = ({ stack, what, size, limit }: Size) => `${stack}: ${size} ${what} of ${limit}, room for ${limit - size}`;

const maxOf = ({ what, limit }: Size) => (what === 'resources' ? MAX_RESOURCES : MAX_SHARE * limit);

describe('the settings of this test', () => {
  it('include every setting, so that a new setting also counts here', () => {
    const used = new Set(Object.values(sets).flatMap((settings) => Object.keys(settings)));
    // Without the console, there is nothing to count.
    expect(environmentSettings.filter((name) => !used.has(name))).toEqual(['console']);
  });
});

describe.each(setNames)('%s', (name) => {
  const sizes = sizesWith(name);

  it(`leave room in every stack: at most ${MAX_RESOURCES} resources, and ${100 * MAX_SHARE} % of each other limit`, () => {
    const printed = sizes.filter(({ kind }) => ['resources', 'bytes', 'AWS::IAM::Role'].includes(kind)).map(shown);
    process.stdout.write(`With ${name}:\n  ${printed.join('\n  ')}\n`);
    expect(sizes.filter((size) => size.size > maxOf(size)).map(shown)).toEqual([]);
  });
});
