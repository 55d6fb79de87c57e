/** A CloudFormation that creates, updates and deletes stacks at once, and the identity of their account. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';

interface Stack {
  template: string;
  status: string;
  changeSet?: string | undefined;
}

const REGION = 'eu-west-1';
const ACCOUNT = '123456789012';
const DELETED = 'DELETE_COMPLETE';
const TIME = '2026-01-01T00:00:00Z';

const arnOf = (name: string) => `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${name}/1`;
const nameIn = (given: string) => /:stack\/([^/]+)\//.exec(given)?.[1] ?? given;
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Returns the outputs of a template whose values are texts. */
function outputsOf(template: string): string {
  const { Outputs = {} } = parse(template) as { readonly Outputs?: Record<string, { readonly Value: string }> };
  const members = Object.entries(Outputs).map(
    ([key, { Value }]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${Value}</OutputValue></member>`,
  );
  return `<Outputs>${members.join('')}</Outputs>`;
}

class Refused extends Error {
  override readonly name = 'Refused';
}

/** Starts the server, which is to be stopped with `close`. */
export async function startCloudFormation() {
  const stacks = new Map<string, Stack>();
  const calls: string[] = [];
  let statusOfCreated = 'CREATE_COMPLETE';

  function stackNamed(given: string): Stack {
    const stack = stacks.get(nameIn(given));
    if (!stack || stack.status === DELETED) throw new Refused(`Stack with id ${given} does not exist`);
    return stack;
  }

  const describe = (name: string, { status, template }: Stack) =>
    `<Stacks><member><StackName>${name}</StackName><StackId>${arnOf(name)}</StackId><StackStatus>${status}</StackStatus>
      <CreationTime>${TIME}</CreationTime>${outputsOf(template)}</member></Stacks>`;

  const actions: Readonly<Record<string, (input: URLSearchParams, name: string) => string>> = {
    GetCallerIdentity: () =>
      `<Arn>arn:aws:iam::${ACCOUNT}:user/deployer</Arn><UserId>1</UserId><Account>${ACCOUNT}</Account>`,
    DescribeStacks(_, name) {
      const isArn = name.startsWith('arn:');
      const stack = isArn ? stacks.get(nameIn(name)) : stackNamed(name);
      return stack ? describe(nameIn(name), stack) : '<Stacks/>';
    },
    GetTemplate: (_, name) => `<TemplateBody>${escaped(stackNamed(name).template)}</TemplateBody>`,
    CreateChangeSet(input, name) {
      const { template = '{}', status = DELETED } = stacks.get(name) ?? {};
      stacks.set(name, {
        template,
        status: status === DELETED ? 'REVIEW_IN_PROGRESS' : status,
        changeSet: input.get('TemplateBody') ?? undefined,
      });
      return `<Id>arn:aws:cloudformation:${REGION}:${ACCOUNT}:changeSet/set/1</Id><StackId>${arnOf(name)}</StackId>`;
    },
    DescribeChangeSet: (_, name) =>
      `<StackName>${nameIn(name)}</StackName><StackId>${arnOf(nameIn(name))}</StackId><ChangeSetName>set</ChangeSetName>
        <Status>CREATE_COMPLETE</Status><ExecutionStatus>AVAILABLE</ExecutionStatus><Changes/>`,
    ExecuteChangeSet(_, name) {
      const stack = stackNamed(name);
      Object.assign(stack, { template: stack.changeSet, status: statusOfCreated });
      return '';
    },
    DeleteChangeSet: () => '',
    DescribeEvents: () => '<OperationEvents/>',
    DescribeStackEvents: () => '<StackEvents/>',
    ListStackResources: () => '<StackResourceSummaries/>',
    UpdateTerminationProtection: (_, name) => `<StackId>${arnOf(name)}</StackId>`,
    DeleteStack(_, name) {
      stackNamed(name).status = DELETED;
      return '';
    },
  };

  const server = createServer(async (request, response) => {
    const input = new URLSearchParams(await text(request));
    const action = input.get('Action') ?? '';
    const name = input.get('StackName') ?? '';
    calls.push(`${action} ${nameIn(name)}`.trim());
    try {
      const run = actions[action];
      if (!run) throw new Refused(`The scripted CloudFormation has no ${action}`);
      response.end(
        `<${action}Response><${action}Result>${run(input, name)}</${action}Result><ResponseMetadata/></${action}Response>`,
      );
    } catch (error) {
      const { message } = error as Error;
      response.writeHead(400);
      response.end(
        `<ErrorResponse><Error><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
      );
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Variables of a process that calls this server. */
    env: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'example',
    },
    /** Actions with names of stacks, in the order of the calls. */
    calls,
    /** Leaves the stacks that are deployed from now on in progress. */
    neverEnd(): void {
      statusOfCreated = 'CREATE_IN_PROGRESS';
    },
    /** Names of the stacks that are deployed. */
    names: () => [...stacks].filter(([, { status }]) => status === 'CREATE_COMPLETE').map(([name]) => name),
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}
