/** Collects the reasons of all grants from the constructs that grant them (`lib/constructs/reasons.ts`). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, CfnElement, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { readPools } from '../../../lib/capacity/pool-declaration.ts';
import { type ExplainedAction, type Explanation, explainedOf } from '../../../lib/constructs/reasons.ts';
import { createApp, declare } from '../../../test/lib/synthesis.ts';
import { declared } from '../../../test/support/declared.ts';
import { keyOf } from './grants.ts';
import { roleNamed } from './names.ts';

/** The reason why a role may perform one action on one resource. */
export interface ExplainedGrant extends ExplainedAction {
  readonly role: string;
}

/** The reasons of all grants of the permission. Its use counts for each of them. */
function joined(grants: readonly [ExplainedGrant, ...ExplainedGrant[]]): ExplainedGrant {
  const [{ role, action, resource }] = grants;
  const reason = [...new Set(grants.map((grant) => grant.reason))].join(' ');
  const [unused, sometimes] = (['unused', 'sometimes'] as const).map((exception) => {
    const texts = grants.map((grant) => grant[exception]).filter((text) => text !== undefined);
    return texts.length === grants.length ? [...new Set(texts)].join(' ') : undefined;
  });
  return { role, action, resource, reason, ...(unused && { unused }), ...(sometimes && { sometimes }) };
}

function nameOf(role: IConstruct): string {
  const stack = Stack.of(role);
  const { defaultChild } = role.node;
  if (!CfnElement.isCfnElement(defaultChild)) throw new Error(`${role.node.path} is not a role of the stacks.`);
  return roleNamed(`${stack.node.id}-${String(stack.resolve(defaultChild.logicalId))}`);
}

function reasonsIn(app: App): ExplainedGrant[] {
  const all = app.node.findAll().flatMap((construct) => {
    const explained = explainedOf(construct);
    return explained.length === 0 ? [] : explained.map((each) => ({ role: nameOf(construct), ...each }));
  });
  return [...Map.groupBy(all, keyOf).values()].flatMap(([first, ...others]) =>
    first ? [joined([first, ...others])] : [],
  );
}

function reasonsWith(settings: object): ExplainedGrant[] {
  const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-reasons-'));
  try {
    return reasonsIn(createApp(folder, [declare('echo')], settings, readPools(declared)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const collected = new Map<string, readonly ExplainedGrant[]>();

function once(key: string, settings: object): readonly ExplainedGrant[] {
  const found = collected.get(key) ?? reasonsWith(settings);
  collected.set(key, found);
  return found;
}

/** Returns the reasons of the stacks as they are deployed without settings. */
export const reasons = (): readonly ExplainedGrant[] => once('default', {});

/** Returns the reasons of the stacks with `ingress: off`, in which functions replace the ingress. */
export const reasonsWithoutIngress = (): readonly ExplainedGrant[] => once('without ingress', { ingress: 'off' });

export interface Row extends Explanation {
  readonly actions: readonly string[];
  /** The resources on which all actions of the grant are allowed. */
  readonly resources: readonly string[];
}

/**
 * Merges grants with the same reason: first actions on the same resource, then resources with the same actions.
 */
export function rowsOf(grants: readonly ExplainedGrant[]): Row[] {
  const byReason = [
    ...Map.groupBy(grants, ({ reason, unused, sometimes }) => JSON.stringify([reason, unused, sometimes])).values(),
  ];
  return byReason.flatMap((alike) => {
    const byResource = [...Map.groupBy(alike, ({ resource }) => resource)].map(([resource, its]) => ({
      resource,
      actions: its.map(({ action }) => action).toSorted(),
    }));
    return [...Map.groupBy(byResource, ({ actions }) => actions.join(' ')).values()].flatMap((same) => {
      const [grant] = alike;
      const [first] = same;
      if (!grant || !first) return [];
      const { reason, unused, sometimes } = grant;
      return [
        { actions: first.actions, resources: same.map(({ resource }) => resource), reason, unused, sometimes } as Row,
      ];
    });
  });
}
