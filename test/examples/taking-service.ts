import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { startProgram, temporaryFolder } from '../support/process.ts';
import { type Answer, startAnswering } from './answering-server.ts';
import type { Connector } from './connector-programs.ts';

export const DOC_UID = '01a1eaee-0c86-7c21-a7d2-c2e5975c6cb9';

export const TAKES: Answer = { status: 201, body: JSON.stringify({ docUid: DOC_UID, status: 10 }) };

/** What the service says of a document. */
export type Document = { readonly status: number; readonly failureCode?: string };

/** A service that takes every document, has none to import, and whose first answers to submissions are those of somebody else. */
export function startTakingService(
  t: TestContext,
  first: readonly Answer[],
  documents: ReadonlyMap<string, Document> = new Map([[DOC_UID, { status: 20 }]]),
  asked: string[] = [],
): Promise<string> {
  const waiting = [...first];
  return startAnswering(t, ({ method, url: path = '' }) => {
    asked.push(path);
    return answerTo(method === 'POST' && path.endsWith('/outbound'), path);
  });

  function answerTo(isSubmission: boolean, path: string): Answer {
    if (!path.startsWith('/api/')) return { status: 404, body: '{}' };
    if (isSubmission) return waiting.shift() ?? TAKES;
    const [, docUid, file] = /\/integration\/v1\/outbound\/([^/]+)(\/file)?/u.exec(path) ?? [];
    if (docUid === undefined) return { status: 200, body: JSON.stringify({ items: [], totalPages: 0 }) };
    const document = documents.get(docUid);
    if (document === undefined) return { status: 404, body: '{"code":"ERR-3001"}' };
    if (file !== undefined) return { status: 404, body: '{"code":"ERR-3002"}' };
    return { status: 200, body: JSON.stringify({ docUid, failureMessage: 'because', ...document }) };
  }
}

export async function runConnector(t: TestContext, command: Connector['command'], url: string, folder: string) {
  const [program, ...args] = await command();
  const variables = { DOSTAVA_URL: `${url}/`, DOSTAVA_KEY: 'key', DOSTAVA_WAIT_SECONDS: '0' };
  return startProgram(t, program, [...args, folder], variables).finished();
}

export function folderWith(...files: readonly (string | Buffer)[]): string {
  const folder = temporaryFolder();
  const outbox = join(folder, 'outbox');
  mkdirSync(outbox);
  for (const file of files) writeFileSync(Buffer.concat([Buffer.from(`${outbox}/`), Buffer.from(file)]), '<Invoice/>');
  return folder;
}

export function linesOf(folder: string): readonly string[] {
  return readFileSync(join(folder, 'state.tsv'), 'utf8').trimEnd().split('\n');
}
