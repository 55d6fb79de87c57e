/** A server that answers as the services that `npx gpu-endpoints doctor` calls, in their own formats. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status?: number;
  readonly body: string;
}

/**
 * Answers by operation, such as `GetServiceQuota`, computed from the fields of the request. An operation without
 * an answer never responds.
 */
export type Answers = Readonly<Record<string, (members: Readonly<Record<string, string>>) => Answer>>;

export interface Stub {
  readonly url: string;
  /** The operations that were called, in order. */
  readonly called: string[];
  answer(answers: Answers): void;
  stop(): Promise<void>;
}

/**
 * STS, IAM, EC2 and SNS receive forms. API Gateway receives requests by path, of which `GET /account` is answered. The
 * other services receive JSON, with the operation in a header.
 */
async function read(request: IncomingMessage) {
  const body = await text(request);
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') {
    return { operation: target.split('.')[1] ?? '', members: JSON.parse(body) as Record<string, string> };
  }
  if (request.url === '/account') return { operation: 'GetAccount', members: {} };
  const members = Object.fromEntries(new URLSearchParams(body));
  return { operation: members.Action ?? '', members };
}

export async function startStub(): Promise<Stub> {
  let answers: Answers = {};
  const called: string[] = [];
  const server = createServer(async (request, response) => {
    const { operation, members } = await read(request);
    called.push(operation);
    const answer = answers[operation]?.(members);
    if (!answer) return;
    const type = answer.body.startsWith('<') ? 'text/xml' : 'application/x-amz-json-1.1';
    response.writeHead(answer.status ?? 200, { 'content-type': type }).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    answer(now) {
      answers = now;
      called.length = 0;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const STS = 'https://sts.amazonaws.com/doc/2011-06-15/';

export const identity = (account: string, arn: string): Answer => ({
  body: `<GetCallerIdentityResponse xmlns="${STS}"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AIDA</UserId><Account>${account}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>r1</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
});

const IAM = 'https://iam.amazonaws.com/doc/2010-05-08/';

export const role = (name: string): Answer => ({
  body: `<GetRoleResponse xmlns="${IAM}"><GetRoleResult><Role><Path>/</Path><RoleName>${name}</RoleName><RoleId>AROA</RoleId><Arn>arn:aws:iam::123456789012:role/${name}</Arn><CreateDate>2026-01-01T00:00:00Z</CreateDate></Role></GetRoleResult><ResponseMetadata><RequestId>r1</RequestId></ResponseMetadata></GetRoleResponse>`,
});

export const policy = (arn: string): Answer => ({
  body: `<GetPolicyResponse xmlns="${IAM}"><GetPolicyResult><Policy><Arn>${arn}</Arn><DefaultVersionId>v1</DefaultVersionId></Policy></GetPolicyResult><ResponseMetadata><RequestId>r1</RequestId></ResponseMetadata></GetPolicyResponse>`,
});

export const roleFault = (code: string, status: number): Answer => ({
  status,
  body: `<ErrorResponse xmlns="${IAM}"><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error><RequestId>r1</RequestId></ErrorResponse>`,
});

export const identityFault = (code: string): Answer => ({
  status: 403,
  body: `<ErrorResponse xmlns="${STS}"><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error><RequestId>r1</RequestId></ErrorResponse>`,
});

export const json = (body: object): Answer => ({ body: JSON.stringify(body) });

export const fault = (type: string): Answer => ({
  status: 400,
  body: JSON.stringify({ __type: type, message: 'No.' }),
});

/** Values of an item by element, as EC2 lists them. */
type Item = Readonly<Record<string, string>>;

const EC2 = 'http://ec2.amazonaws.com/doc/2016-11-15/';

/** Answers as EC2: one list of items. */
export const ec2List = (operation: string, list: string, items: readonly Item[]): Answer => {
  const xml = items.map((item) => {
    const values = Object.entries(item).map(([name, value]) => `<${name}>${value}</${name}>`);
    return `<item>${values.join('')}</item>`;
  });
  return {
    body: `<${operation}Response xmlns="${EC2}"><requestId>r1</requestId><${list}>${xml.join('')}</${list}></${operation}Response>`,
  };
};

export const ec2Fault = (code: string): Answer => ({
  status: 403,
  body: `<Response><Errors><Error><Code>${code}</Code><Message>No.</Message></Error></Errors><RequestID>r1</RequestID></Response>`,
});

const SNS = 'http://sns.amazonaws.com/doc/2010-03-31/';

export const topic = (attributes: Item): Answer => {
  const entries = Object.entries(attributes).map(
    ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
  );
  return {
    body: `<GetTopicAttributesResponse xmlns="${SNS}"><GetTopicAttributesResult><Attributes>${entries.join('')}</Attributes></GetTopicAttributesResult><ResponseMetadata><RequestId>r1</RequestId></ResponseMetadata></GetTopicAttributesResponse>`,
  };
};

export const topicFault = (code: string, status: number): Answer => ({
  status,
  body: `<ErrorResponse xmlns="${SNS}"><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error><RequestId>r1</RequestId></ErrorResponse>`,
});
