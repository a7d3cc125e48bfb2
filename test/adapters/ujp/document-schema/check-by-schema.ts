import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { documentSchema } from '../../../../src/adapters/ujp/document-schema/document-schema.ts';
import { readPayload } from '../../../../src/adapters/ujp/document-schema/read-payload.ts';

const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const isValid = ajv.compile(documentSchema('en'));

/** What a value of JSON is by the served schema, and whether the reader of the program agrees with it. */
export function fitsSchema(value: unknown): boolean {
  const byReader = readPayload(Buffer.from(JSON.stringify(value))).outcome === 'read';
  if (byReader !== isValid(value)) assert.fail(`${JSON.stringify(value)} ${ajv.errorsText(isValid.errors)}`);
  return byReader;
}

export function checkBySchema(value: unknown): void {
  assert.ok(fitsSchema(value), ajv.errorsText(isValid.errors));
}
