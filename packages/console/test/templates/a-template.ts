/** A template as the service returns it. */
import type { TemplateInUse } from '../../api/management-types.ts';

export const aTemplate = (changes: Partial<TemplateInUse> = {}): TemplateInUse => ({
  id: 't1',
  name: 'llama',
  imageName: 'team/llama:1.2',
  category: 'NVIDIA',
  containerDiskInGb: 50,
  volumeInGb: 20,
  volumeMountPath: '/workspace',
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: ['serve', '--port', '8080'],
  env: { MODEL: 'llama-3', TOKEN: '{{secrets:HF_TOKEN}}', API_KEY: 'abc' },
  ports: ['8080/http'],
  isPublic: false,
  isServerless: true,
  isPlatform: false,
  readme: '# Llama\nFirst\nLast',
  earned: 0,
  runtimeInMin: 0,
  version: 3,
  endpoints: [],
  ...changes,
});
