/** Tests that the console explains exactly what the service and the documents list. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { waitReasons as coreReasons } from '../../core/status/waiting.ts';
import { waitReasons } from '../../packages/console/endpoint/wait-reasons.ts';
import { endHelp, webhookHelp } from '../../packages/console/job/ends.ts';

describe('explanations', () => {
  const codesIn = (page: string, from: string, to: string) => {
    const text = readFileSync(`docs/${page}`, 'utf8');
    const part = text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from) + from.length));
    return [...part.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
  };

  it('exist for exactly the reasons of the service', () => {
    expect(new Set(Object.keys(waitReasons))).toEqual(new Set(Object.keys(coreReasons)));
  });

  it('exist for every reason in docs/guides/waiting.md', () => {
    expect(Object.keys(waitReasons)).toEqual(codesIn('guides/waiting.md', '## `waitReason`', '\n## '));
  });

  it('exist for every code of a job in docs/reference/errors.md', () => {
    expect(Object.keys(endHelp)).toEqual(codesIn('reference/errors.md', '## In a job', '\n## '));
  });

  it('exist for every reason of a failed webhook in docs/guides/webhooks.md', () => {
    const from = 'If the service gets no status, the delivery has a reason';
    expect(Object.keys(webhookHelp)).toEqual(codesIn('guides/webhooks.md', from, '\n## '));
  });
});
