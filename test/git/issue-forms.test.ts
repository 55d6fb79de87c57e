/** Tests that GitHub can show the forms of issues. GitHub ignores an invalid form without a message. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const id = z.optional(z.string().check(z.regex(/^[\w-]+$/)));
const validations = z.optional(z.strictObject({ required: z.boolean() }));
const written = { label: text, description: z.optional(text), placeholder: z.optional(text), value: z.optional(text) };

/** Fails if two elements are equal, because GitHub could not tell the answers apart. */
const distinct = z.refine<readonly unknown[]>(
  (values) => new Set(values.map((value) => JSON.stringify(value))).size === values.length,
);

const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({ type: z.literal('input'), id, attributes: z.strictObject(written), validations }),
  z.strictObject({
    type: z.literal('textarea'),
    id,
    attributes: z.strictObject({ ...written, render: z.optional(text) }),
    validations,
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id,
    attributes: z.strictObject({
      label: text,
      description: z.optional(text),
      multiple: z.optional(z.boolean()),
      // GitHub reserves the option "None" for an empty answer.
      options: z.array(z.string().check(z.minLength(1), z.regex(/^(?!none$)/i))).check(z.minLength(1), distinct),
    }),
    validations,
  }),
  z.strictObject({
    type: z.literal('checkboxes'),
    id,
    attributes: z.strictObject({
      label: text,
      description: z.optional(text),
      options: z
        .array(z.strictObject({ label: text, required: z.optional(z.boolean()) }))
        .check(z.minLength(1), distinct),
    }),
  }),
]);

const formSchema = z.strictObject({
  name: text,
  description: text,
  title: z.optional(text),
  labels: z.optional(z.array(text)),
  body: z.array(element).check(z.minLength(1)),
});

const files = globSync('.github/ISSUE_TEMPLATE/*.yml').filter((file) => basename(file) !== 'config.yml');
const read = (file: string): unknown => parse(readFileSync(file, 'utf8'));
const forms = files.map((file) => [basename(file), read(file)] as const);

/** Returns the ids or labels of all questions of a form. */
const namesOf = (form: unknown, name: (question: Exclude<z.infer<typeof element>, { type: 'markdown' }>) => unknown) =>
  formSchema.parse(form).body.flatMap((one) => (one.type === 'markdown' ? [] : [name(one)]));

describe.each(forms)('the form %s', (_, form) => {
  it('has only the fields of GitHub forms, with valid values', () => {
    const { error } = formSchema.safeParse(form);
    expect(error?.issues).toBeUndefined();
  });

  it('has questions with different ids and different labels', () => {
    for (const names of [
      namesOf(form, (question) => question.id),
      namesOf(form, ({ attributes }) => attributes.label),
    ]) {
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

describe('the forms', () => {
  it('are those for bugs, features and questions, and replace empty issues', () => {
    expect(forms.map(([name]) => name).toSorted()).toEqual(['bug.yml', 'feature.yml', 'question.yml']);
    expect(read('.github/ISSUE_TEMPLATE/config.yml')).toEqual({ blank_issues_enabled: false });
  });

  it('have different names', () => {
    const names = forms.map(([, form]) => formSchema.parse(form).name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('ask for the version, the place and the steps of a bug, and warn about secrets', () => {
    const [, bug] = forms.find(([name]) => name === 'bug.yml') ?? [];
    expect(namesOf(bug, (question) => question.id)).toEqual(
      expect.arrayContaining(['version', 'place', 'steps', 'logs']),
    );
    expect(JSON.stringify(bug)).toContain('SECURITY.md');
  });
});
