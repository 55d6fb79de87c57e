import { describe, expect, it } from '@jest/globals';
import { openAiCallFrom } from '../../core/openai/call-from-input.ts';
import { type OpenAiHttp, openAiInput } from '../../core/openai/input.ts';

async function inputOf(request: Partial<Omit<OpenAiHttp, 'body'>> & { readonly body?: string | Uint8Array }) {
  const { body = '', ...rest } = request;
  const call = { method: 'POST', path: 'v1/chat/completions', queryText: '', body: Buffer.from(body), ...rest };
  const { text, isStream } = await openAiInput(call);
  return { text: Buffer.from(text).toString('utf8'), isStream };
}

const type = (value: string, body: string | Uint8Array) => ({ contentType: value, body });

describe('the input of a call', () => {
  it('contains the body of a POST byte for byte', async () => {
    const body = ' {"model":"m","n":12345678901234567890,"text":"\\u00e9 ä"} ';
    const { text, isStream } = await inputOf(type('application/json; charset=utf-8', body));
    expect(text).toBe(`{"openai_route":"/v1/chat/completions","openai_input":${body}}`);
    expect([JSON.parse(text).openai_input.text, isStream]).toEqual(['é ä', false]);
  });

  it('contains only the path for a GET', async () => {
    const { text } = await inputOf({ method: 'GET', path: 'v1/models', body: 'is not read' });
    expect(text).toBe('{"openai_route":"/v1/models"}');
  });

  it.each([
    ['DELETE', '', '{"openai_route":"/v1/files/1","openai_method":"DELETE"}'],
    ['PATCH', '{"n":1}', '{"openai_route":"/v1/files/1","openai_method":"PATCH","openai_input":{"n":1}}'],
  ])('contains the method of a %s', async (method, body, expected) => {
    expect((await inputOf({ method, path: 'v1/files/1', body })).text).toBe(expected);
  });

  it('contains the query string unchanged', async () => {
    const { text } = await inputOf({ method: 'GET', path: 'v1/models', queryText: 'a=1&b=%22"' });
    expect(JSON.parse(text)).toEqual({ openai_route: '/v1/models', openai_query: 'a=1&b=%22"' });
  });

  it.each([
    ['v1/models/org/name', '/v1/models/org/name'],
    ['v1/models/a b?ä', '/v1/models/a%20b%3F%C3%A4'],
    ['v1/models/llama:8b@x', '/v1/models/llama:8b@x'],
    ['v1/models/', '/v1/models/'],
    ['v1/50%', '/v1/50%25'],
  ])('contains the path %s as in the URL', async (path, route) => {
    expect(JSON.parse((await inputOf({ method: 'GET', path })).text)).toEqual({ openai_route: route });
  });

  it.each([
    ['v1/../admin', '..'],
    ['v1/./models', '.'],
    ['..', '..'],
    ['v1/..;/admin', '..;'],
    ['v1/..;a=b/admin', '..;a=b'],
    ['v1/%2e%2e/admin', '%2e%2e'],
    ['v1/%252e%252e/admin', '%252e%252e'],
    ['v1/.%2e/admin', '.%2e'],
    ['v1/a%2f..%2fadmin', 'a%2f..%2fadmin'],
    ['v1/a\\..\\admin', 'a\\..\\admin'],
    ['v1/..%00/admin', '..%00'],
    ['v1/.. /admin', '.. '],
    ['v1/..?/admin', '..?'],
    ['v1/..%zz/admin', '..%zz'],
    ['v1/%25252525/admin', '%25252525'],
  ])('is not created for the path %s, and the error names the segment', async (path, segment) => {
    await expect(inputOf({ method: 'GET', path })).rejects.toThrow(
      `contains the segment ${JSON.stringify(segment)}, which a server can read as \`.\` or \`..\`; remove it.`,
    );
  });

  it.each(['v1/...', 'v1/..a', 'v1/.well-known/x', 'v1/a..', 'v1/a.b', 'v1/100%', 'v1/100%25', 'v1/a;v=1'])(
    'is created for the path %s, whose dots are part of names',
    async (path) => {
      const { openai_route: route } = JSON.parse((await inputOf({ method: 'GET', path })).text);
      expect(decodeURIComponent(route)).toBe(`/${path}`);
      await expect(openAiCallFrom(Buffer.from(JSON.stringify({ openai_route: route })))).resolves.toMatchObject({
        path: route,
      });
    },
  );

  it('is not created for a path that is not valid UTF-8', async () => {
    await expect(inputOf({ method: 'GET', path: 'v1/\ud800' })).rejects.toThrow('is not valid UTF-8');
  });

  it('contains a body that is not JSON in base64, with its media type', async () => {
    const bytes = Uint8Array.from([0, 255, 128, 34]);
    const { text } = await inputOf(type('application/octet-stream', bytes));
    expect(JSON.parse(text)).toEqual({
      openai_route: '/v1/chat/completions',
      openai_content_type: 'application/octet-stream',
      openai_base64: Buffer.from(bytes).toString('base64'),
    });
  });

  it('contains all bytes of a large body in base64', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, n) => n % 251);
    const { text } = await inputOf(type('audio/wav', bytes));
    expect(Buffer.from(JSON.parse(text).openai_base64, 'base64').equals(bytes)).toBe(true);
  });

  it.each([
    ['{"a":', 'The body is not valid JSON'],
    ['[1]', 'The body must be a JSON object, got an array.'],
  ])('is not created for the body %j, which is not a JSON object', async (body, message) => {
    await expect(inputOf({ body })).rejects.toThrow(message);
  });
});

describe('a call from an OpenAI client', () => {
  it('has an empty object as its body if the client sends none, because a call without a body is a GET for the agent', async () => {
    const { text, isStream } = await inputOf({ body: '' });
    expect([JSON.parse(text), isStream]).toEqual([
      { openai_route: expect.stringMatching('^/v1/'), openai_input: {} },
      false,
    ]);
  });

  it.each([
    ['{"stream":true}', true],
    ['{"stream": false}', false],
    ['{"stream":"true"}', false],
    ['{"messages":[{"stream":true}]}', false],
    ['{"stream":false,"stream":true}', true],
    ['{"str\\u0065am":true}', true],
  ])('with the body %s is a stream: %s', async (body, isStream) => {
    expect((await inputOf({ body })).isStream).toBe(isStream);
  });

  /** @returns a form with a file and these fields */
  async function formOf(fields: readonly (readonly [string, string])[]) {
    const form = new FormData();
    form.set('file', new File([Uint8Array.from([0, 255, 13, 10])], 'a.wav'));
    for (const [name, value] of fields) form.append(name, value);
    const sent = new Response(form);
    return type(sent.headers.get('content-type') ?? '', new Uint8Array(await sent.arrayBuffer()));
  }

  it.each([
    [[['stream', 'true']], true],
    [[['stream', 'false']], false],
    [[['prompt', 'a stream']], false],
    [
      [
        ['stream', 'true'],
        ['stream', ''],
      ],
      false,
    ],
    [[], false],
  ] as const)('with a form that has the fields %j is a stream: %s', async (fields, isStream) => {
    const form = await formOf(fields);
    const input = await inputOf(form);
    expect(input.isStream).toBe(isStream);
    expect(JSON.parse(input.text)).toMatchObject({
      openai_content_type: form.contentType,
      openai_base64: Buffer.from(form.body).toString('base64'),
    });
  });

  const BOUNDARY = '=_a:1';
  const quoted = `multipart/form-data; charset=utf-8; Boundary="${BOUNDARY}"`;
  const field = (headers: string, content: string) => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
  const named = 'Content-Disposition: form-data; name="stream"';
  const [file, end] = ['Content-Disposition: form-data; name="file"; filename="; name=stream"', `--${BOUNDARY}--`];

  it.each([
    ['behind a preamble', `preamble\r\n${field(named, 'true')}${end}`, true],
    ['behind a file', `${field(file, `\r\n\r\n--${named}`)}${field(named, 'true')}${end}\r\n`, true],
    ['before a file', `${field(named, 'true')}${field(file, 'false')}${end}`, true],
    ['with a type', `${field(`Content-Type: text/plain\r\n${named}`, 'true')}${end}`, true],
    ['with a name without quotes', `${field('content-disposition: form-data; name=stream', 'true')}${end}`, true],
    ['that is a file', `${field(`${named}; filename=a`, 'true')}${end}`, false],
    ['that is empty', `${field(named, '')}${end}`, false],
  ])('reads the field `stream` of a form %s', async (_, body, isStream) => {
    expect((await inputOf(type(quoted, body))).isStream).toBe(isStream);
  });

  it.each([
    ['without an end', field(named, 'true')],
    ['with a part without a name', `${field('Content-Type: text/plain', 'stream')}${end}`],
    ['with a part without headers', `--${BOUNDARY}\r\nstream\r\n${end}`],
  ])('is refused with a form %s', async (_, body) => {
    await expect(inputOf(type(quoted, body))).rejects.toThrow('is not valid `multipart/form-data`');
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=other'])(
    'is refused with %s and a body that is not a form',
    async (header) => {
      await expect(inputOf(type(header, 'no form with a stream'))).rejects.toThrow(
        'is not valid `multipart/form-data`',
      );
    },
  );
});
