/** The page of the settings of the context, and of the environments that contain them. */
import {
  environmentNameMust,
  environmentSchema,
  environmentSettings,
  environmentText,
  settingsByName,
} from '../../lib/deployment/environments.ts';
import { type FieldText, fieldTexts, type Setting } from '../../lib/settings/field-text.ts';
import { fieldTable, linkTo, type Page } from './page.ts';
import { type Row, rowsOf } from './rows.ts';

const settings: Readonly<Record<string, Setting>> = settingsByName;

const nested = Object.fromEntries(
  environmentSettings.flatMap((name) => {
    const { fields } = settings[name] ?? {};
    return fields ? [[name, fields] as const] : [];
  }),
);

/** Returns the row of a setting that has no schema. */
const rowOf = (field: string, { type = '', without = '', allowed = '', description, guide }: FieldText): Row => ({
  field,
  type,
  without,
  allowed,
  effect: description,
  guide,
});

export const settingsPage = (): Page => ({
  title: 'Settings and environments',
  introduction: [
    'All settings of a deployment are CDK context. A setting is in the file of an environment, or `-c NAME=VALUE` on the command line of each command sets it. Prefer a file, because a later deployment without `-c` restores the default.',
    `Each file \`environments/NAME.yaml\` contains the settings of one environment, and the account and the Region of its stacks. The name of the file without \`.yaml\` ${environmentNameMust}. \`-c environment=NAME\` selects the file. Without it, \`environments/default.yaml\` is used, if it exists; see ${linkTo('environments')}. A setting cannot have one value in the file and another in the context.`,
    '`cdk synth` and `npm start` refuse a wrong value. The message names the setting, the value and the allowed values.',
    'Put no settings into `cdk.json`: the tests of this repository use it. It contains feature flags of the CDK. Do not change them, because a different value can replace resources.',
    '`npm run generate` writes this page from the schemas in `lib/`.',
  ],
  examples: [
    { heading: 'Minimal example', file: 'environment-minimal.yaml' },
    { heading: 'Complete example', file: 'environment-complete.yaml' },
    { heading: 'Complete example: a SAML provider', file: 'environment-saml.yaml' },
  ],
  rows: rowsOf(environmentSchema, { textOf: (schema) => fieldTexts.get(schema), nested }),
  sections: [
    {
      heading: 'The setting that selects a file',
      paragraphs: [
        'This setting is on the command line, and not in a file of `environments/`.',
        fieldTable([rowOf('environment', environmentText)]),
      ],
    },
  ],
});
