import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startTestService, type TestService } from '../support/service.ts';
import { bytesOf, largeInvoice, sampleInvoice } from '../support/ubl-samples.ts';
import { createSubmitter, type Submitter } from './submitting.ts';

const MIB = 1_048_576;
/** Between one ping and the next, which leaves the processor to the document. */
const PAUSE_MS = 50;
const NOTE = /(<cbc:Note languageID="mk">)[^<]*/u;
const BODY = sampleInvoice().replace(/^<\?xml.*?\?>\n/u, '');

/** Bodies made to hurt, with the answer each deserves. */
const HOSTILE: Readonly<Record<string, readonly [body: () => string, outcome: string]>> = {
  'an entity bomb': [() => `<!DOCTYPE Invoice [${bomb()}]>${BODY.replace(NOTE, '$1&e9;')}`, 'ERR-2001'],
  'an external entity': [() => `<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/hostname">]>${BODY}`, 'ERR-2001'],
  '20,000 levels': [() => `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`, 'ERR-2001'],
  'a million attributes': [
    () => `<Invoice ${Array.from({ length: 1_000_000 }, (_, index) => `a${index.toString(36)}=""`).join(' ')}/>`,
    'ERR-2001',
  ],
  'a million elements': [() => sampleInvoice().replace(NOTE, `$1${'<a/>'.repeat(1_000_000)}`), 'ERR-2001'],
  'a single text of 10 MiB': [() => sampleInvoice().replace(NOTE, `$1${'x'.repeat(10 * MIB - 12_000)}`), 'document'],
  'an invoice of 10 MiB': [() => largeInvoice(10 * MIB - 8_192), 'document'],
};

describe('hostile and heavy documents, through the running service', () => {
  let service: TestService;
  let client: Submitter;

  before(async () => {
    service = await startTestService();
    client = await createSubmitter(service);
  });
  after(() => service.stop());

  for (const [name, [body, outcome]] of Object.entries(HOSTILE)) {
    test(`${name}: ${outcome}, and others are answered meanwhile`, async () => {
      let isAnswered = false;
      const submission = client.submit(bytesOf(body())).finally(() => {
        isAnswered = true;
      });
      let pings = 0;
      while (!isAnswered) {
        const ping = await fetch(`${service.api}/ping`, { headers: client.headers });
        assert.equal(ping.status, 200);
        await ping.arrayBuffer();
        pings += 1;
        await pause(PAUSE_MS);
      }
      assert.equal((await submission).outcome, outcome);
      assert.ok(pings > 0);
    });
  }
});

function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`);
  return `<!ENTITY e0 "boom">${levels.join('')}`;
}
