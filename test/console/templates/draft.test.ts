/** Tests of the request that the form of a template sends. */
import { describe, expect, it } from '@jest/globals';
import { defaults, parseCreation, parseUpdate } from '../../../core/templates/settings.ts';
import {
  changesOf,
  copyOf,
  creationOf,
  draftOf,
  emptyDraft,
} from '../../../packages/console/pages/template-editor/draft.ts';
import { readOnlyReason } from '../../../packages/console/pages/template-editor/editable.ts';
import { aTemplate } from '../../../packages/console/test/templates/a-template.ts';

describe('the form of a template', () => {
  it('starts with the defaults of the service, except for serverless workers', () => {
    const body = { ...creationOf(emptyDraft), name: 'a', imageName: 'a/b' };
    expect(parseCreation(JSON.stringify(body))).toEqual({
      ...defaults,
      isServerless: true,
      name: 'a',
      imageName: 'a/b',
      containerRegistryAuthId: undefined,
    });
  });

  it('sends nothing if nothing was changed', () => {
    const template = aTemplate();
    expect(changesOf(template, draftOf(template))).toEqual({});
  });

  it('sends only the changed fields', () => {
    const template = aTemplate();
    const draft = { ...draftOf(template), imageName: 'team/llama:1.3', volumeInGb: '30', dockerStartCmd: '' };
    expect(changesOf(template, draft)).toEqual({ imageName: 'team/llama:1.3', volumeInGb: 30, dockerStartCmd: [] });
  });

  it('omits category and isServerless from an update, because the service would refuse them', () => {
    const template = aTemplate();
    const draft = { ...draftOf(template), category: 'CPU', isServerless: false, name: 'b' } as const;
    expect(changesOf(template, draft)).toEqual({ name: 'b' });
    expect(parseUpdate(JSON.stringify(changesOf(template, draft)))).toEqual({ changes: { name: 'b' } });
  });

  it('sends a text that is not a whole number as typed, so that the service refuses it', () => {
    const template = aTemplate();
    const body = JSON.stringify(changesOf(template, { ...draftOf(template), containerDiskInGb: '1.5 TB' }));
    expect(() => parseUpdate(body)).toThrow(
      '`containerDiskInGb` must be a whole number of GB from 1 to 16000, got "1.5 TB".',
    );
    expect(creationOf({ ...emptyDraft, volumeInGb: '' }).volumeInGb).toBe('');
  });

  it('takes ports with spaces or commas', () => {
    expect(creationOf({ ...emptyDraft, ports: ' 80/http, 22/tcp ' }).ports).toEqual(['80/http', '22/tcp']);
  });

  it('takes a command as a list or as words', () => {
    const commandOf = (dockerStartCmd: string) => creationOf({ ...emptyDraft, dockerStartCmd }).dockerStartCmd;
    expect(commandOf(' serve --port  8080 ')).toEqual(['serve', '--port', '8080']);
    expect(commandOf('["sh", "-c", "a\\nb c", ""]')).toEqual(['sh', '-c', 'a\nb c', '']);
    expect(commandOf('')).toEqual([]);
  });

  it('keeps the words of a command that nobody changed', () => {
    const template = aTemplate({ dockerStartCmd: ['sh', '-c', 'one "two"\nthree', ''], ports: ['1/http', '2/tcp'] });
    expect(changesOf(template, draftOf(template))).toEqual({});
  });

  it('sends a list that is not valid as typed, so that the service refuses it', () => {
    const body = JSON.stringify(changesOf(aTemplate(), { ...draftOf(aTemplate()), dockerEntrypoint: '["a' }));
    expect(() => parseUpdate(body)).toThrow('`dockerEntrypoint` must be');
  });

  it('copies a template without its hidden values', () => {
    const copy = creationOf(copyOf(aTemplate({ isPublic: true })));
    expect(copy.env).toEqual({ MODEL: 'llama-3', TOKEN: '{{secrets:HF_TOKEN}}', API_KEY: '' });
    expect(copy).toMatchObject({ name: 'llama copy', isPublic: false, imageName: 'team/llama:1.2' });
  });
});

describe('a template that cannot be changed', () => {
  it("is another owner's template, whose values the service hides", () => {
    expect(readOnlyReason(aTemplate({ env: { MODEL: '********' } }))).toBe('Only its owner can change this template.');
  });

  it('is an official template, which has a file in Git', () => {
    expect(readOnlyReason(aTemplate({ id: 'echo', isPlatform: true }))).toBe(
      'An official template is changed in Git: templates/echo.yaml.',
    );
  });

  it("cannot be a private template of the user's owner", () => {
    expect(readOnlyReason(aTemplate())).toBeUndefined();
  });
});
