/** `gpu-endpoints alarms ls`: the alarms and their states. */
import type { Command } from 'commander';
import type { AlarmSummary } from '../../core/management/list-alarms.ts';
import { withExample } from '../example.ts';
import { call } from './call.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { ago, printJson, printTable } from './print.ts';

interface AlarmList {
  readonly alarms: readonly AlarmSummary[];
}

interface ListOptions extends CommonOptions {
  readonly all?: true;
}

/** Lists the alarms. The reason and the runbook matter only for those that have gone off. */
async function list(options: ListOptions): Promise<void> {
  const answer = await call<AlarmList>(serviceOf(options), 'management', 'GET', '/alarms');
  if (options.json) return printJson(answer);
  const { alarms } = answer;
  const quiet = options.all ? [] : alarms.filter(({ state }) => state === 'OK');
  printTable<AlarmSummary>(
    [
      { head: 'ALARM', text: ({ name }) => name },
      { head: 'ENDPOINT', text: ({ endpoint }) => endpoint },
      { head: 'STATE', text: ({ state }) => state },
      { head: 'SINCE', text: ({ since }) => ago(since), isNumber: true },
      { head: 'MEANING', text: ({ description }) => description, shrinks: 'end' },
    ],
    alarms.filter((alarm) => !quiet.includes(alarm)),
    alarms.length === 0 ? 'There are no alarms that this key may see.' : 'No alarm has gone off.',
  );
  if (quiet.length > 0) console.error(`${quiet.length} alarms are OK; --all lists them.`);
  for (const { name, endpoint, state, description, reason, runbook } of alarms) {
    if (state !== 'ALARM') continue;
    console.log('');
    console.log(`${[name, endpoint].filter(Boolean).join(' of ')}: ${description}`);
    console.log(reason);
    if (runbook !== undefined) console.log(`What to do: ${runbook}`);
  }
}

export function addAlarms(program: Command): Command {
  const alarms = withExample(program.command('alarms').description('list alarms'), 'alarms ls');
  common(
    alarms
      .command('ls')
      .description('list the alarms that have gone off or lack data')
      .option('--all', 'also list those that are OK'),
    'GET /v1/alarms',
    'alarms ls',
  ).action(list);
  return alarms;
}
