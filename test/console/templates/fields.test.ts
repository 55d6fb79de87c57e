import { describe, expect, it } from '@jest/globals';
import { isRolledOut } from '../../../core/templates/template.ts';
import { fields } from '../../../packages/console/template/fields.ts';
import { aTemplate } from '../../../packages/console/test/templates/a-template.ts';

describe('the changes of an edit', () => {
  const other = {
    ...{
      name: 'b',
      imageName: 'b',
      containerRegistryAuthId: 'b',
      category: 'CPU',
      isServerless: false,
      isPublic: true,
    },
    containerDiskInGb: 1,
    volumeInGb: 1,
    volumeMountPath: '/b',
    dockerEntrypoint: ['b'],
    dockerStartCmd: ['b'],
    ports: ['1/tcp'],
    env: { B: 'b' },
    readme: 'b',
  } as const;

  it.each(Object.entries(fields))(
    'show whether the service replaces workers for a change of %s',
    (field, { rollsOut }) => {
      const from = aTemplate();
      expect(rollsOut).toBe(
        isRolledOut(from, { ...from, ...Object.fromEntries([[field, Reflect.get(other, field)]]) }),
      );
    },
  );
});
