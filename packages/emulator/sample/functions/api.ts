/** Stores and reads notes, and reads the index of their words. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';

interface Request {
  readonly httpMethod: string;
  readonly body: string | null;
  readonly pathParameters: { readonly id?: string; readonly word?: string } | null;
}

const dynamodb = new DynamoDBClient();
const { NOTES, WORDS } = process.env;

const json = (statusCode: number, content: object) => ({ statusCode, body: JSON.stringify(content) });

async function read(id: string) {
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: NOTES, Key: { id: { S: id } } }));
  return Item ? json(200, { id, text: Item.text?.S }) : json(404, { message: 'There is no such note.' });
}

async function readWord(word: string) {
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: WORDS, Key: { word: { S: word } } }));
  return json(200, { word, notes: Item?.notes?.SS ?? [] });
}

async function store(text: string) {
  const id = randomUUID();
  await dynamodb.send(new PutItemCommand({ TableName: NOTES, Item: { id: { S: id }, text: { S: text } } }));
  return json(201, { id });
}

export function handler({ httpMethod, body, pathParameters }: Request) {
  if (httpMethod === 'POST') return store(body ?? '');
  return pathParameters?.word === undefined ? read(pathParameters?.id ?? '') : readWord(pathParameters.word);
}
