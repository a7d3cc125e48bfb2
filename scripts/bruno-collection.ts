import type { DescribedCall, Description, Parameter } from './described-calls.ts';
import { callsOf } from './described-calls.ts';

/** What makes a call of the collection succeed when the collection is run from its first call to its last. */
type Part = {
  readonly query?: Readonly<Record<string, string>>;
  /** Variables that later calls need, as expressions over the answer. */
  readonly keeps?: Readonly<Record<string, string>>;
  readonly before?: string;
};

const NUMBER = '{{documentNumber}}';
/** The number of the example document, which each run replaces by one of its own. */
const EXAMPLE_NUMBER = '2026-7001';

const JOURNEY: Readonly<Record<string, Part>> = {
  ping: {},
  readCodeList: {},
  submitOutbound: {
    before: 'bru.setVar("documentNumber", "BRU-" + Date.now());',
    keeps: { outboundDocUid: 'res.body.docUid' },
  },
  listOutbound: {},
  readOutbound: {},
  readOutboundHistory: {},
  readOutboundFile: {},
  cancelOutbound: {},
  listInbound: { keeps: { inboundDocUid: 'res.body.items[0].docUid' } },
  readInbound: {},
  readInboundFile: {},
  acknowledgeInbound: {},
  pingExtensions: {},
  readChanges: {},
  inquireOutbound: { query: { documentNumber: NUMBER } },
  validateDocument: {},
  viewOutbound: {},
  viewInbound: {},
  makeOutboundViewLink: {},
  makeInboundViewLink: {},
  readDocumentSchema: {},
};

const COLLECTION = {
  'bruno.json': `${JSON.stringify({ version: '1', name: 'Dostava', type: 'collection' }, null, 2)}\n`,
  'collection.bru': blocks([block('headers', ['X-Api-Key: {{apiKey}}', 'X-Software-Id: {{software}}'])]),
  'environments/demo.bru': blocks([
    block('vars', ['url: http://127.0.0.1:8080', 'apiKey: demo-alfa', 'software: bruno/1.0']),
  ]),
};

/** The files of the collection, by their places in its folder. */
export function brunoCollection(integration: Description, extensions: Description): Readonly<Record<string, string>> {
  const examples = { ...extensions.components.examples, ...integration.components.examples };
  const calls = callsOf(integration, extensions).map((call, place) => [
    `${interfaceOf(call)}/${call.name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}.bru`,
    callFile(call, place + 1, (name) => examples[name]?.value),
  ]);
  const folders = ['integration', 'extensions'].map((name, place) => [
    `${name}/folder.bru`,
    blocks([block('meta', [`name: ${name}`, `seq: ${place + 1}`])]),
  ]);
  return { ...COLLECTION, ...Object.fromEntries([...folders, ...calls]) };
}

function interfaceOf({ path }: DescribedCall): string {
  return path.split('/')[2] ?? '';
}

function callFile(call: DescribedCall, place: number, example: (name: string) => unknown): string {
  const part = JOURNEY[call.name];
  const { query = {}, keeps = {}, before } = part ?? {};
  const inPath = parametersIn(call, 'path');
  const inQuery = parametersIn(call, 'query');
  const body = call.requestBody === undefined ? null : String(example(`${call.operationId}-body`) ?? '');
  const key = parametersIn(call, 'header').some(({ name }) => name === 'X-Idempotency-Key');
  return blocks([
    block('meta', [`name: ${call.summary.replace(/\.$/u, '')}`, 'type: http', `seq: ${place}`]),
    block(call.method.toLowerCase(), [
      `url: {{url}}${call.path.replaceAll(/\{(\w+)\}/gu, ':$1')}${queryText(query)}`,
      `body: ${body === null ? 'none' : 'xml'}`,
      'auth: none',
    ]),
    // What is not asked for stays in the form, switched off.
    block(
      'params:query',
      inQuery.map(
        (parameter) =>
          `${parameter.name in query ? '' : '~'}${parameter.name}: ${query[parameter.name] ?? sample(parameter)}`,
      ),
    ),
    block(
      'params:path',
      inPath.map((parameter) => `${parameter.name}: ${pathValue(call, parameter)}`),
    ),
    block('headers', key ? [`X-Idempotency-Key: ${NUMBER}`] : []),
    block('body:xml', body === null ? [] : body.trimEnd().replace(EXAMPLE_NUMBER, NUMBER).split('\n')),
    block('vars:post-response', members(keeps)),
    block('assert', [part === undefined ? 'res.status: lt 500' : `res.status: in ${successes(call)}`]),
    block('script:pre-request', before === undefined ? [] : [before]),
    block('docs', [call.description ?? call.summary]),
  ]);
}

function parametersIn({ parameters = [] }: DescribedCall, place: Parameter['in']): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

function pathValue({ path }: DescribedCall, parameter: Parameter): string {
  if (parameter.name !== 'docUid') return sample(parameter);
  return path.includes('/inbound/') ? '{{inboundDocUid}}' : '{{outboundDocUid}}';
}

function sample({ schema }: Parameter): string {
  return String(schema.default ?? schema.enum?.[0] ?? schema.examples?.[0] ?? '');
}

function successes({ responses }: DescribedCall): string {
  return Object.keys(responses)
    .filter((status) => status.startsWith('2'))
    .join(', ');
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return text.length === 0 ? '' : `?${text.join('&')}`;
}

function members(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}: ${value}`);
}

function block(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${name} {\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n}\n`;
}

function blocks(all: readonly string[]): string {
  return all.filter((one) => one !== '').join('\n');
}
