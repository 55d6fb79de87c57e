/** Tests how clients read withdrawn templates, and all orders of simultaneous deployments. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createDocumentClient, type OnClient } from '../../aws/clients.ts';
import { createTemplatePorts } from '../../aws/templates/ports.ts';
import { createTemplates } from '../../aws/templates/templates.ts';
import { associate, dissociate } from '../../core/templates/associate.ts';
import { declare, undeclare } from '../../core/templates/declare.ts';
import { list } from '../../core/templates/list.ts';
import { read } from '../../core/templates/read.ts';
import { type TemplatePorts, TemplateRefused } from '../../core/templates/store.ts';
import { type Template, templateSettingsSchema } from '../../core/templates/template.ts';
import { PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { MovedClock } from '../support/emulated-deployment.ts';
import { createSchedule, type Schedule } from '../support/schedule.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { templateOf } from './settings.ts';

const NOW = Date.UTC(2040, 0, 1);
const place = { category: 'CPU', largestDiskInGb: 200, imageRepositories: [] } as const;
const settings = templateSettingsSchema.parse(templateOf({ isPublic: true }));

const emulated = useEmulatedDeployment(new MovedClock(NOW));
let ports: TemplatePorts;
let schedule: Schedule | undefined;

/** Makes each call to DynamoDB, and each response, wait for its turn. */
const takeTurns: OnClient = (client) => {
  const stack = client.middlewareStack as unknown as { add(middleware: object, options: object): void };
  const wait = (next: (args: unknown) => Promise<unknown>) => async (args: unknown) => {
    await schedule?.turn('call');
    const answer = schedule ? await schedule.during(() => next(args)) : await next(args);
    await schedule?.turn('answer');
    return answer;
  };
  stack.add(wait, { step: 'initialize', priority: 'high', name: 'takeTurns' });
};

beforeAll(async () => {
  ports = {
    ...createTemplatePorts({ clock: emulated.clock }),
    templates: createTemplates(createDocumentClient(takeTurns), 'TEMPLATES_TABLE', emulated.clock),
    endpoints: emulated.ports.endpoints,
  };
});

const add = (id: string) => declare(ports, id, { ...settings, name: id });
const begin = (endpoint: string, id: string) => associate(ports, { endpoint, place, template: { named: id } });

describe('a client of the management interface', () => {
  it('reads the time when a template was withdrawn, in the template and in the list', async () => {
    const show = () => read(ports, { owner: 'somebody', permitted: ['*'], template: 'shown' });
    await add('shown');
    await begin('its-user', 'shown');
    expect(await show()).not.toHaveProperty('withdrawnAt');
    const withdrawnAt = new Date(emulated.clock.now()).toISOString();
    await undeclare(ports, 'shown');
    expect(await show()).toMatchObject({ isPlatform: true, withdrawnAt, endpoints: [{ id: 'its-user' }] });
    const { templates } = await list(ports, { owner: 'somebody' });
    expect(templates).toMatchObject([{ id: 'shown', withdrawnAt }]);
  });
});

const ENDPOINTS = ['a', 'b'];
const steps = <Step extends string>(...kinds: Step[]) =>
  fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 3 });
const deployments = steps('declare', 'undeclare');
const lives = fc.tuple(...ENDPOINTS.map(() => steps('associate', 'dissociate')));

/** Runs deployments one after the other, as CloudFormation deploys a stack. */
async function inOrder<Step>(each: readonly Step[], act: (step: Step) => Promise<unknown>): Promise<void> {
  for (const step of each) await act(step);
}

describe('simultaneous deployments', () => {
  let run = 0;

  it('delete a template if its last endpoint dissociates from it before it is marked as withdrawn', async () => {
    await add('late');
    await begin('a', 'late');
    const { templates } = ports;
    let removals = 0;
    const meanwhile = {
      ...templates,
      async remove(template: Template) {
        const isRemoved = await templates.remove(template);
        removals += 1;
        if (removals === 1) await dissociate(ports, 'a', 'late');
        return isRemoved;
      },
    };
    await undeclare({ ...ports, templates: meanwhile }, 'late');
    expect(await templates.read('late')).toBeUndefined();
    expect(removals).toBe(2);
  });

  it('do not delete a template in use, and do not keep a withdrawn template without endpoints', async () => {
    const property = fc.asyncProperty(fc.scheduler(), deployments, lives, async (scheduler, files, its) => {
      run += 1;
      const id = `run-${run}`;
      // Items of a failed run remain, so each run has its own id.
      schedule = undefined;
      await add(id);
      await begin('a', id);
      schedule = createSchedule(scheduler);
      const refused = (error: unknown) => {
        if (!(error instanceof TemplateRefused)) throw error;
      };
      const all = Promise.all([
        inOrder(files, (step) => (step === 'declare' ? add(id) : undeclare(ports, id))),
        ...ENDPOINTS.map((endpoint, index) =>
          inOrder(its[index] ?? [], (step) =>
            step === 'associate' ? begin(endpoint, id).catch(refused) : dissociate(ports, endpoint, id),
          ),
        ),
      ]);
      let isOver = false;
      const over = all.finally(() => {
        isOver = true;
      });
      while (!isOver) await schedule.runAll();
      await over;
      schedule = undefined;

      const template = await ports.templates.read(id);
      const users = await ports.templates.endpointsOf(id);
      if (files.at(-1) === 'declare') expect(template).not.toHaveProperty('withdrawnAt');
      else if (template) expect(template).toHaveProperty('withdrawnAt');
      expect(Boolean(template)).toBe(files.at(-1) === 'declare' || users.length > 0);
      for (const endpoint of users) await dissociate(ports, endpoint, id);
      await undeclare(ports, id);
      expect(await ports.templates.read(id)).toBeUndefined();
    });
    await fc.assert(property, { seed: seedOf(PROPERTY_SEED), numRuns: 40 });
  }, 60_000);
});
