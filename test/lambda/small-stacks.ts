/** Simulates the stacks of endpoints, with the custom resources of templates. */
import { startSmallCloudFormation } from './small-cloudformation.ts';

export interface Answer {
  readonly Status: string;
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: { readonly template: string; readonly takenBack: string };
}

export const onFargate = { category: 'CPU', largestDiskInGb: '200', imageRepositories: ['registry.example/*'] };

export async function startSmallStacks() {
  const cloudFormation = await startSmallCloudFormation();
  const send = async (file: 'associate' | 'declare', event: object) =>
    (await cloudFormation.send(await import(`../../lambda/templates/${file}.ts`), event)) as Answer;

  /** Simulates the stack of one endpoint over several deployments. */
  function stackOf(endpoint: string) {
    let properties: object | undefined;
    let id: string | undefined;
    return {
      /**
       * Deploys the resource, and deletes a replaced one.
       * @returns the response to the create or update
       */
      async deploy(differences: object): Promise<Answer> {
        const next = { endpoint, ...onFargate, ...differences };
        const event = properties
          ? { RequestType: 'Update', PhysicalResourceId: id, OldResourceProperties: properties }
          : { RequestType: 'Create' };
        const answered = await send('associate', { ...event, ResourceProperties: next });
        if (answered.Status !== 'SUCCESS') return answered;
        const [before, its] = [id, properties];
        [properties, id] = [next, answered.PhysicalResourceId];
        if (before !== undefined && before !== id)
          await send('associate', { RequestType: 'Delete', PhysicalResourceId: before, ResourceProperties: its });
        return answered;
      },
      destroy: () =>
        send('associate', { RequestType: 'Delete', PhysicalResourceId: id, ResourceProperties: properties ?? {} }),
    };
  }

  return { send, stackOf, stop: async () => cloudFormation.stop() };
}

export type SmallStacks = Awaited<ReturnType<typeof startSmallStacks>>;
