import type { Template } from '../../core/templates/template.ts';

/** Returns a worker template with all defaults except the volume. */
export function templateOf(differences: Partial<Template> = {}): Template {
  return {
    id: 'example',
    name: 'example',
    imageName: 'team/worker:1.2',
    category: 'CPU',
    containerDiskInGb: 10,
    volumeInGb: 0,
    volumeMountPath: '/workspace',
    dockerEntrypoint: [],
    dockerStartCmd: [],
    env: {},
    ports: [],
    isPublic: false,
    isServerless: true,
    readme: '',
    owner: 'a',
    origin: 'api',
    version: 1,
    edition: 1,
    createdAt: 0,
    updatedAt: 0,
    ...differences,
  };
}
