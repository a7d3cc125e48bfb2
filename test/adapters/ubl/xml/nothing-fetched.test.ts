import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Edb } from '../../../../src/domain/accounts/edb.ts';
import { sharedReader } from '../../../support/shared-reader.ts';
import { ALFA_EDB, bytesOf, sampleInvoice } from '../../../support/ubl-samples.ts';

const TENANT = ALFA_EDB as Edb;

const LONG_AGO = new Date('2001-01-01T00:00:00Z');
const LESS_LONG_AGO = new Date('2002-01-01T00:00:00Z');

/** Every way we know in which a document can ask for something else to be read. */
function askingFor(url: string): string[] {
  const xml = sampleInvoice({
    extension: `<a xmlns="urn:x" xmlns:xi="http://www.w3.org/2001/XInclude" xml:base="${url}"><xi:include href="${url}" parse="text"/></a>`,
  });
  const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  return [
    xml,
    xml.replace(
      '<Invoice ',
      `<?xml-stylesheet type="text/xsl" href="${url}"?><?oasis-xml-catalog catalog="${url}"?><?xml-model href="${url}"?><Invoice `,
    ),
    xml.replace(
      '<Invoice ',
      `<Invoice ${instance} xsi:schemaLocation="urn:x ${url} urn:oasis:names:specification:ubl:schema:xsd:Invoice-2 ${url}" `,
    ),
    xml.replace('<Invoice ', `<Invoice ${instance} xsi:noNamespaceSchemaLocation="${url}" `),
    xml.replace('<Invoice ', `<!DOCTYPE Invoice SYSTEM "${url}"><Invoice `),
    xml.replace('<Invoice ', `<!DOCTYPE Invoice PUBLIC "-//x" "${url}"><Invoice `),
    xml
      .replace('<Invoice ', `<!DOCTYPE Invoice [<!ENTITY a SYSTEM "${url}">]><Invoice `)
      .replace('</cbc:Note>', '&a;</cbc:Note>'),
    xml.replace('<Invoice ', `<!DOCTYPE Invoice [<!ENTITY % a SYSTEM "${url}"> %a;]><Invoice `),
    `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${url}"/>`,
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import namespace="urn:x" schemaLocation="${url}"/></xs:schema>`,
  ];
}

test('no document makes the reader open a connection or read a file', async (t) => {
  let connections = 0;
  const server = createServer((_, response) => response.end('<a/>'));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), 'dostava-'));
  const [bait, control] = [join(folder, 'bait.xml'), join(folder, 'control.xml')];
  const reader = sharedReader();
  t.after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  for (const file of [bait, control]) {
    await writeFile(file, 'bait');
    await utimes(file, LONG_AGO, LESS_LONG_AGO);
  }

  const urls = [`http://127.0.0.1:${port}/x`, `ftp://127.0.0.1:${port}/x`, pathToFileURL(bait).href, bait];
  for (const document of urls.flatMap(askingFor)) {
    const reading = await reader.read(TENANT, bytesOf(document));
    assert.doesNotMatch(JSON.stringify({ ...reading, file: undefined }), /bait\b(?!\.xml)/u);
    await reader.recognise(TENANT, bytesOf(document));
  }

  assert.equal(connections, 0);
  await readFile(control);
  if ((await stat(control)).atimeMs === LONG_AGO.getTime()) t.diagnostic('this file system does not record reads');
  assert.equal((await stat(bait)).atimeMs, LONG_AGO.getTime());
});
