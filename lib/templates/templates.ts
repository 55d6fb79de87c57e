import { Construct, type IConstruct } from 'constructs';
import { templates as operations } from '../../core/operations/templates.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import type { EndpointsTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import { createFunctions } from '../operations/functions.ts';
import { choiceSetting } from '../settings/choice.ts';
import { allowedBy, type Setting } from '../settings/field-text.ts';
import { InvalidSetting } from '../settings/settings.ts';
import type { TemplatesTable } from './tables.ts';
import { grantVaultLookup } from './vault.ts';

const SETTING = 'earnedPerMinute';
const MIN_RATE = 0;
const rateMust = `must be a number of credits of at least ${MIN_RATE}`;

/**
 * Returns the credits that a template earns for each minute of its workers' run time: 0, unless the context
 * `earnedPerMinute` is set.
 * @throws InvalidSetting
 */
export function earnedPerMinuteOf(scope: IConstruct): number {
  const value: unknown = scope.node.tryGetContext(SETTING) ?? MIN_RATE;
  const rate = value === '' ? MIN_RATE : Number(value);
  if (Number.isFinite(rate) && rate >= MIN_RATE) return rate;
  throw new InvalidSetting(`The context \`${SETTING}\` ${rateMust}, got ${JSON.stringify(value)}.`);
}

export const earnedPerMinuteSetting: Setting = {
  read: earnedPerMinuteOf,
  text: {
    description: 'Credits that a template earns for each minute for which its workers run.',
    type: 'number',
    default: MIN_RATE,
    allowed: allowedBy(rateMust),
    guide: 'templatesEarned',
  },
};

const LOCKED = 'locked';

/** Whether clients can change fields that a file declares (unlocked) or only users with a reason (locked). */
export const declaredSetting = choiceSetting('declared', {
  description:
    'Whether the management interface refuses changes of fields that the file of an endpoint declares (`DECLARED_IN_GIT`). Users of the console can still change them with a reason.',
  choices: [LOCKED, 'unlocked'],
  usual: 'unlocked',
  guide: 'templatesDrift',
});

export const declaredOf = declaredSetting.read;

/** Sets the variable of a function that changes templates, if clients cannot change fields that a file declares. */
export function setDeclared(changes: ServiceFunction): void {
  if (declaredOf(changes) === LOCKED) changes.addEnvironment('DECLARED', LOCKED);
}

export interface TemplatesProps {
  readonly history: HistoryTable;
  readonly templates: TemplatesTable;
  readonly endpoints: EndpointsTable;
}

/** The operations of templates, each with its function and the access that it needs. */
export class Templates extends Construct {
  readonly functions = createFunctions(this, operations);

  constructor(scope: Construct, id: string, { history, templates, endpoints }: TemplatesProps) {
    super(scope, id);
    const {
      'create-template': create,
      'list-templates': list,
      'read-template': read,
      'remove-template': remove,
      'update-template': update,
    } = this.functions;

    // All of these operations except deletion return the run time of the template and the credits that it earned.
    const earnedPerMinute = String(earnedPerMinuteOf(this));
    for (const shows of [create, list, read, update]) shows.addEnvironment('EARNED_PER_MINUTE', earnedPerMinute);
    setDeclared(update);

    for (const writes of [create, update])
      grantVaultLookup(
        writes,
        'Checks whether the secrets that a template names exist, without permission to read them.',
      );
    templates.grantCreate(create);
    templates.grantList(list);
    templates.grantShow(read);
    templates.grantUpdate(update);
    templates.grantRemove(remove);
    history.grantAdd(update, 'Stores who changed the template, for the events of the endpoints that use it.');
    endpoints.grantRead(
      update,
      'Reads the endpoints that use the template, to check which of its fields they support.',
    );
    endpoints.grantRead(read, 'Reads the endpoints that use the template, to return the progress of its rollout.');
  }
}
