/** The template form, and the request body built from it. The service checks the values. */
import type { NewTemplate, Template, TemplateChanges } from '../../api/management-types.ts';
import { envOf, type Variable, variablesOf } from '../../template/env.ts';

/** Fields as typed: numbers, commands and ports are texts. */
type Draftable = Omit<Required<NewTemplate>, 'env' | 'category'>;
export type Draft = { readonly [F in keyof Draftable]: Draftable[F] extends boolean ? boolean : string } & {
  readonly category: Template['category'];
  readonly env: readonly Variable[];
};

/** The service's defaults, except `isServerless`: endpoints run serverless workers only. */
export const emptyDraft: Draft = {
  name: '',
  imageName: '',
  containerRegistryAuthId: '',
  category: 'NVIDIA',
  isServerless: true,
  isPublic: false,
  containerDiskInGb: '50',
  volumeInGb: '20',
  volumeMountPath: '/workspace',
  dockerEntrypoint: '',
  dockerStartCmd: '',
  ports: '',
  env: [],
  readme: '',
};

const textOf = (words: readonly string[]) =>
  words.length === 0 ? '' : `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;

export const draftOf = (template: Template): Draft => ({
  name: template.name,
  imageName: template.imageName,
  containerRegistryAuthId: template.containerRegistryAuthId,
  category: template.category,
  isServerless: template.isServerless,
  isPublic: template.isPublic,
  containerDiskInGb: String(template.containerDiskInGb),
  volumeInGb: String(template.volumeInGb),
  volumeMountPath: template.volumeMountPath,
  dockerEntrypoint: textOf(template.dockerEntrypoint),
  dockerStartCmd: textOf(template.dockerStartCmd),
  ports: template.ports.join(' '),
  env: variablesOf(template.env),
  readme: template.readme,
});

/** Creates the draft of a private copy. Values of variables that the console does not show are empty. */
export const copyOf = (template: Template): Draft => ({
  ...draftOf(template),
  name: `${template.name} copy`,
  isPublic: false,
  // A kept value is a placeholder of the service or might be secret, so a copy does not contain it.
  env: variablesOf(template.env).map((variable) =>
    variable.kind === 'kept' ? { kind: 'text', name: variable.name, value: '' } : variable,
  ),
});

/**
 * Converts whole numbers. Other text is sent unchanged: the service's error names the value and the allowed range.
 */
const numberOf = (text: string) => (/^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text) as number;

/** Reads a list in JSON, or words between spaces. A list that is not valid is sent unchanged, as in `numberOf`. */
function wordsOf(text: string): string[] {
  if (!text.trim().startsWith('[')) return text.split(/\s+/).filter((word) => word !== '');
  try {
    return JSON.parse(text) as string[];
  } catch {
    return text as unknown as string[];
  }
}

/** Converts the form to the service's request fields. */
function settingsOf(draft: Draft, env: Readonly<Record<string, string>>): Required<NewTemplate> {
  return {
    ...draft,
    containerDiskInGb: numberOf(draft.containerDiskInGb),
    volumeInGb: numberOf(draft.volumeInGb),
    dockerEntrypoint: wordsOf(draft.dockerEntrypoint),
    dockerStartCmd: wordsOf(draft.dockerStartCmd),
    ports: draft.ports.split(/[\s,]+/).filter((port) => port !== ''),
    env: envOf(draft.env, env),
  };
}

/** Returns the body of `POST /v1/templates`. */
export const creationOf = (draft: Draft): NewTemplate => settingsOf(draft, {});

/** Makes values comparable. The order of environment variables does not matter. */
const comparable = (value: unknown) =>
  JSON.stringify(
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
      : value,
  );

/** Fields that an update accepts. `category` and `isServerless` cannot change after the creation. */
const changeable = [
  ...(['name', 'imageName', 'containerRegistryAuthId', 'isPublic', 'containerDiskInGb', 'volumeInGb'] as const),
  ...(['volumeMountPath', 'dockerEntrypoint', 'dockerStartCmd', 'ports', 'env', 'readme'] as const),
] satisfies readonly (keyof TemplateChanges)[];

/** Returns the body of an update: only the fields that differ from `template`. */
export function changesOf(template: Template, draft: Draft): TemplateChanges {
  const settings = settingsOf(draft, template.env);
  return Object.fromEntries(
    changeable
      .filter((field) => comparable(settings[field]) !== comparable(template[field]))
      .map((field) => [field, settings[field]]),
  );
}
