/** The pages of the reference of configuration, by file name. */
import { reservedIds } from '../../core/endpoints/reserved-ids.ts';
import { cpuUnits, memoryFor } from '../../lib/capacity/fargate-size.ts';
import { instanceTypes, maxTasks } from '../../lib/capacity/instance-types.ts';
import { poolNameMust, poolSchema } from '../../lib/capacity/pool-declaration.ts';
import { endpointIdMust } from '../../lib/endpoints/declaration.ts';
import { declarationSchema } from '../../lib/endpoints/declaration-schema.ts';
import { fieldTexts } from '../../lib/settings/field-text.ts';
import { templateIdMust, templateSchema } from '../../lib/templates/declaration.ts';
import { code, table } from '../pages/markdown.ts';
import { imagesPage } from './images.ts';
import { linkTo, type Page } from './page.ts';
import { rowsOf, type Texts } from './rows.ts';
import { settingsPage } from './settings.ts';

const texts: Texts = { textOf: (schema) => fieldTexts.get(schema) };

const MIB_PER_GIB = 1_024;
const REFUSED =
  '`cdk synth` and `npm start` refuse an unknown field and a wrong value. The message names the file, the field, the value and the allowed values.';

const writtenFrom = (...folders: string[]) =>
  `\`npm run generate\` writes this page from the schemas in ${folders.map(code).join(' and ')}.`;

const endpoints = (): Page => ({
  title: 'Endpoint files',
  introduction: [
    `Each file \`endpoints/ID.yaml\` declares one endpoint. The name of the file without \`.yaml\` ${endpointIdMust}. It must not be one of the words that are reserved for paths of the interfaces: ${reservedIds.map(code).join(', ')}.`,
    `A file either contains a template, with the fields from \`image\` to \`readme\`, or names one with \`template\`. ${REFUSED}`,
    writtenFrom('lib/endpoints/', 'lib/templates/'),
  ],
  examples: [
    { heading: 'Minimal example', file: 'endpoint-minimal.yaml' },
    { heading: 'Complete example: a file that contains a template', file: 'endpoint-complete.yaml' },
    { heading: 'Complete example: a file that names a template', file: 'endpoint-named.yaml' },
  ],
  // The pools of this repository are not facts of the product.
  rows: rowsOf(declarationSchema([]), texts),
  sections: [
    {
      heading: 'Sizes of workers on Fargate',
      paragraphs: [
        'Fargate offers these amounts of memory for each number of CPU units.',
        table(
          ['CPU units', 'memory in MiB'],
          cpuUnits.map((units) => [String(units), memoryFor(units).join(', ')]),
        ),
      ],
    },
  ],
});

const pools = (): Page => ({
  title: 'Pool files',
  introduction: [
    `Each file \`capacity/NAME.yaml\` declares a pool of instances with GPUs. The name of the file without \`.yaml\` ${poolNameMust}, which means Fargate. Endpoints name the pool in their field \`capacity\`. A pool without workers has no instances.`,
    REFUSED,
    writtenFrom('lib/capacity/'),
  ],
  examples: [
    { heading: 'Minimal example', file: 'pool-minimal.yaml' },
    { heading: 'Complete example', file: 'pool-complete.yaml' },
    { heading: 'Complete example: AMD', file: 'pool-amd.yaml' },
  ],
  rows: rowsOf(poolSchema, texts),
  sections: [
    {
      heading: 'Instance types',
      paragraphs: [
        `\`lib/capacity/instance-types.yaml\` lists these types; \`npx node bin/instance-types.ts\` asks EC2 for newer ones. "Workers" is the number of workers with one GPU that an instance has network interfaces for. For details, see ${linkTo('capacityPools')}.`,
        table(
          [
            'instance type',
            '`kind`',
            'GPUs',
            'memory of a GPU in GiB',
            'workers',
            'vCPUs',
            'memory in GiB',
            'local GB',
          ],
          instanceTypes.map((type) => [
            ...[type.name, type.kind].map(code),
            `${type.gpus} ${type.gpu}`,
            ...[
              Math.round(type.gpuMemoryMiB / MIB_PER_GIB),
              Math.min(type.gpus, maxTasks(type)),
              type.vcpus,
              type.memoryMiB / MIB_PER_GIB,
              type.localGb,
            ].map(String),
          ]),
        ),
      ],
    },
  ],
});

const templates = (): Page => ({
  title: 'Template files',
  introduction: [
    `Each file \`templates/ID.yaml\` declares an official template, which the endpoints of all owners can use. The name of the file without \`.yaml\` ${templateIdMust}.`,
    REFUSED,
    writtenFrom('lib/templates/', 'core/templates/'),
  ],
  examples: [
    { heading: 'Minimal example', file: 'template-minimal.yaml' },
    { heading: 'Complete example', file: 'template-complete.yaml' },
  ],
  rows: rowsOf(templateSchema, texts),
});

export const pages: Readonly<Record<string, () => Page>> = {
  'endpoints.md': endpoints,
  'pools.md': pools,
  'templates.md': templates,
  'settings.md': settingsPage,
  'images.md': imagesPage,
};
