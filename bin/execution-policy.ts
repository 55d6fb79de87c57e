/** `npx node bin/execution-policy.ts`: generates the policies of CloudFormation's role. See `HELP`. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../lib/settings/package-files.ts';
import { RECORDED, readHandlers, recordOf } from './execution-policy/handlers.ts';
import { neededOf, POLICY_LIMIT, policiesFor } from './execution-policy/policies.ts';
import { readFlags, runCommand } from './flags.ts';

const FOLDER = 'docs/execution-policy';

const HELP = `Usage: npx node bin/execution-policy.ts [options]

Writes the policies in ${FOLDER}/ from the calls that CloudFormation's handlers declare for the resource
types of the stacks (bin/execution-policy/handlers.yaml), and prints the size of each.

  --record  first record the calls again, from the schemas that .ci/cfn-lint installs; npm run format formats the file
  --help    print this help

Examples:
  npx node bin/execution-policy.ts
  npm run synth && .ci/cfn-lint && npx node bin/execution-policy.ts --record
`;

function record(): void {
  const [folder = 'node_modules/.cache'] = globSync(
    'node_modules/.cache/cfn-lint-*/lib/python3*/site-packages/cfnlint',
  );
  writeFileSync(RECORDED, recordOf(folder, Object.keys(readHandlers())));
}

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const values = readFlags('npx node bin/execution-policy.ts', { record: flag, help: flag }, process.argv.slice(2));
  if (values.help) return void console.log(HELP);
  if (values.record) record();
  const handlers = readHandlers();
  for (const [name, policy] of Object.entries(policiesFor(handlers))) {
    writeFileSync(join(packageFolder, FOLDER, `${name}.json`), `${JSON.stringify(policy, undefined, 2)}\n`);
    console.log(
      `${FOLDER}/${name}.json: ${JSON.stringify(policy).length} characters; at most ${POLICY_LIMIT} are allowed`,
    );
  }
  const types = Object.keys(handlers);
  const declared = new Set(Object.values(handlers).flat());
  const needed = new Set(types.flatMap((type) => neededOf(type, handlers)));
  console.log(
    `The handlers of ${types.length} types declare ${declared.size} actions. ${needed.size} of them are allowed; the others are for properties that the stacks do not set.`,
  );
}

runCommand(main);
