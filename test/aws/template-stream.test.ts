import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { changedTemplateIds } from '../../aws/templates/changed-templates.ts';

const image = (item: string, version: number, readme = '') =>
  marshall({ collection: 'templates', item, version, readme });

describe('the stream of templates', () => {
  it('yields only templates that are new or have another version', () => {
    const records = [
      { NewImage: image('new', 1) },
      { OldImage: image('other', 1), NewImage: image('other', 2) },
      { OldImage: image('words', 1), NewImage: image('words', 1, 'more') },
      { OldImage: image('gone', 1) },
    ];
    expect(changedTemplateIds(records.map((dynamodb) => ({ dynamodb })))).toEqual(['new', 'other']);
  });

  it('yields a template although a number of its item has too many digits', () => {
    const NewImage = { ...image('digits', 1), memory: { N: '9007199254740993.5' } };
    expect(changedTemplateIds([{ dynamodb: { NewImage } }])).toEqual(['digits']);
  });
});
