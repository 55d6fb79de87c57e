/** What services were last told to run, which outlives a restart as it does in ECS, and what their templates said. */
import { isDeepStrictEqual } from 'node:util';
import type { StateDirectory } from '../state-directory.ts';
import type { ServiceDefinition } from './definitions.ts';
import { serviceArn } from './names.ts';

export interface ServiceState {
  readonly desiredCount: number;
  /** ARN of the revision. */
  readonly taskDefinition: string;
}

interface Remembered {
  /** Properties of the service, as its template said them last. */
  readonly template: unknown;
  readonly state: ServiceState;
}

export interface ServiceStates {
  /** What the service was told; also before it runs, while stacks are deployed, and then as of the last run. */
  of(itsArn: string): ServiceState | undefined;
  /**
   * A template that says what it said before leaves the service as it is. Another one sets the revision, and the count if
   * it says one.
   */
  declare(service: ServiceDefinition): void;
  remember(itsArn: string, change: Partial<ServiceState>): void;
  /** Forgets those that have not been declared in this run. */
  forgetOthers(): void;
}

const FILE = 'told-services.json';

/** What a new service has if its template says nothing. */
const DEFAULT_COUNT = 1;

/** As it is stored: JSON has no members that are undefined. */
const stored = (properties: unknown): unknown => JSON.parse(JSON.stringify(properties));

/** @param file keeps them; without it they end with the process */
export function createServiceStates(file?: Pick<StateDirectory, 'readJson' | 'writeJson'>): ServiceStates {
  const states = new Map(Object.entries(file?.readJson<Record<string, Remembered>>(FILE) ?? {}));
  const declared = new Set<string>();
  const write = () => file?.writeJson(FILE, Object.fromEntries(states));

  return {
    of: (itsArn) => states.get(itsArn)?.state,

    declare({ cluster, serviceName, properties, desiredCount, taskDefinition }) {
      const itsArn = serviceArn(cluster, serviceName);
      const before = states.get(itsArn);
      const template = stored(properties);
      declared.add(itsArn);
      if (before && isDeepStrictEqual(before.template, template)) return;
      const count = desiredCount ?? before?.state.desiredCount ?? DEFAULT_COUNT;
      states.set(itsArn, { template, state: { desiredCount: count, taskDefinition: taskDefinition.arn } });
      write();
    },

    remember(itsArn, change) {
      const before = states.get(itsArn);
      if (!before) return;
      states.set(itsArn, { ...before, state: { ...before.state, ...change } });
      write();
    },

    forgetOthers() {
      for (const itsArn of states.keys()) if (!declared.has(itsArn)) states.delete(itsArn);
      write();
    },
  };
}
