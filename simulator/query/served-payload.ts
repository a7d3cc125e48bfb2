import { authorityError } from '../authority-error.ts';
import type { PayloadFaults } from '../faults/payload-faults.ts';
import type { JsonObject } from '../json-object.ts';
import { payloadText } from '../request-checks/envelope.ts';
import type { RegisteredDocument } from '../state/registered-document.ts';

/** The payload of a document, in the shape in which it is to be served. */
export function servedPayload({ euid, jws }: RegisteredDocument, faults: PayloadFaults): unknown {
  const shape = faults.shapeOf(euid);
  const text = payloadText(jws);
  if (shape === 'refused') throw authorityError('E1011', `There is no privilege RD for document ${euid}`, 'euid');
  if (shape === 'jws') return jws;
  if (shape === 'object') return JSON.parse(text);
  return shape === 'document' ? JSON.stringify((JSON.parse(text) as JsonObject)['document']) : text;
}

/** A row of a list of payloads. One document that may not be read refuses the whole list: its rows have no member for errors. */
export function payloadRow(document: RegisteredDocument, faults: PayloadFaults): JsonObject {
  return { euid: document.euid, payload: servedPayload(document, faults) };
}
