/** Tests that each error from the service is shown at its field. The sentences come from the service's own checks. */
import { describe, expect, it } from '@jest/globals';
import {
  InvalidRequest,
  SecretsNotPermitted,
  TemplateInUse,
  TemplateNameTaken,
} from '../../../core/requests/errors.ts';
import { parseCreation } from '../../../core/templates/settings.ts';
import { formErrors } from '../../../packages/console/pages/template-editor/field-errors.ts';

function refused(body: object) {
  try {
    parseCreation(JSON.stringify(body));
  } catch (error) {
    if (error instanceof InvalidRequest) return formErrors(error);
    throw error;
  }
  throw new Error('The service accepts the body.');
}

describe('an error from the service', () => {
  it('is shown at each field that it names', () => {
    expect(refused({ name: ' ', imageName: 'A B', volumeInGb: -1 })).toEqual({
      fields: {
        name: [{ text: expect.stringMatching(/^Must be a string of 1 to 191 characters.*, got " "\.$/) }],
        imageName: [{ text: expect.stringMatching(/^Must be the name of a container image.*, got "A B"\.$/) }],
        volumeInGb: [{ text: 'Must be a whole number of GB from 0 to 16000, got -1.' }],
      },
    });
  });

  it('is shown at the entry of a list that it names', () => {
    const { fields } = refused({ name: 'a', imageName: 'a', ports: ['80/http', '0/tcp'] });
    expect(fields.ports).toEqual([
      { index: 1, text: expect.stringMatching(/^Must be a port from 1 to 65535.*got "0\/tcp"\.$/) },
    ]);
  });

  it('can contain a semicolon within a clause', () => {
    expect(refused({ name: 'a', imageName: 'a', env: { A: 1 } }).fields.env).toEqual([
      { text: 'Must have a string value for A: put the value in quotes.' },
    ]);
  });

  it('is shown at the environment variables if it names a refused variable', () => {
    expect(refused({ name: 'a', imageName: 'a', env: { AWS_X: 'b' } }).fields.env).toEqual([
      { text: expect.stringMatching(/^Has the name "AWS_X", which must be another name/) },
    ]);
  });

  it('is split correctly if a value looks like a clause', () => {
    expect(Object.keys(refused({ name: 'a', imageName: 'x; `ports` must y' }).fields)).toEqual(['imageName']);
    const long = refused({ name: 'a', imageName: `x; \`env\` must ${'y'.repeat(80)}`, volumeInGb: -1 });
    expect(Object.keys(long.fields)).toEqual(['imageName', 'volumeInGb']);
  });

  it('contains the endpoint that cannot run the template', () => {
    const message =
      'Endpoint `echo` uses the template and does not support the change: `containerDiskInGb` must be at most 200, got 900; `ports` must not contain 18271, which the agent uses.';
    expect(formErrors({ code: 'INVALID_REQUEST', message }).fields).toEqual({
      containerDiskInGb: [
        { text: 'Endpoint `echo` uses the template and does not support the change: must be at most 200, got 900.' },
      ],
      ports: [
        {
          text: 'Endpoint `echo` uses the template and does not support the change: must not contain 18271, which the agent uses.',
        },
      ],
    });
  });

  it('is shown at a name that is taken', () => {
    const error = new TemplateNameTaken('llama');
    expect(formErrors(error)).toEqual({ fields: { name: [{ text: error.message }] } });
  });

  it('is shown at the login and the variables with secrets that the user may not use', () => {
    const error = new SecretsNotPermitted('the registry login `hub` and the secret `A`');
    expect(formErrors(error)).toEqual({
      fields: { containerRegistryAuthId: [{ text: error.message }], env: [{ text: error.message }] },
      general: error.message,
    });
  });

  it('is general if it names no field', () => {
    const error = new TemplateInUse('t1');
    expect(formErrors(error)).toEqual({ fields: {}, general: error.message });
    const large = { name: 'a', imageName: 'a', env: { A: 'x'.repeat(40_000) } };
    expect(refused(large)).toEqual({ fields: {}, general: expect.stringMatching(/have 40\d\d\d bytes in total/) });
  });
});
