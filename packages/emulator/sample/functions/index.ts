/** Adds each new note to the index of words. */
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

interface Changes {
  readonly Records: readonly {
    readonly dynamodb: {
      readonly NewImage?: { readonly id: { readonly S: string }; readonly text: { readonly S: string } };
    };
  }[];
}

const dynamodb = new DynamoDBClient();

const add = (word: string, id: string) =>
  dynamodb.send(
    new UpdateItemCommand({
      TableName: process.env.WORDS,
      Key: { word: { S: word } },
      UpdateExpression: 'ADD notes :id',
      ExpressionAttributeValues: { ':id': { SS: [id] } },
    }),
  );

export async function handler({ Records }: Changes): Promise<void> {
  for (const { dynamodb: change } of Records) {
    const { id, text } = change.NewImage ?? {};
    if (id && text) for (const word of new Set(text.S.split(' '))) await add(word, id.S);
  }
}
