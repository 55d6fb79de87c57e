/** Labels of a template's fields in forms and comparisons. */
import type { NewTemplate } from '../api/management-types.ts';

export type Field = keyof NewTemplate;

interface FieldText {
  readonly label: string;
  /** Whether a change of the field replaces the workers of the endpoints that use the template. */
  readonly rollsOut: boolean;
}

/** Fields in the order of the form. */
export const fields: Readonly<Record<Field, FieldText>> = {
  name: { label: 'Name', rollsOut: false },
  imageName: { label: 'Container image', rollsOut: true },
  containerRegistryAuthId: { label: 'Registry login', rollsOut: true },
  category: { label: 'Category', rollsOut: false },
  isServerless: { label: 'Serverless workers', rollsOut: false },
  isPublic: { label: 'Public', rollsOut: false },
  containerDiskInGb: { label: 'Container disk', rollsOut: true },
  volumeInGb: { label: 'Volume', rollsOut: true },
  volumeMountPath: { label: 'Volume mount path', rollsOut: true },
  dockerEntrypoint: { label: 'Entrypoint', rollsOut: true },
  dockerStartCmd: { label: 'Start command', rollsOut: true },
  ports: { label: 'Ports', rollsOut: true },
  env: { label: 'Environment variables', rollsOut: true },
  readme: { label: 'Readme', rollsOut: false },
};

export const isField = (name: string): name is Field => Object.hasOwn(fields, name);
