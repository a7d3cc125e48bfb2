// Made from the interface descriptions by `npm run docs`.
import type { DownloadedFile } from '../downloaded-file.ts';
import type { Acknowledgement, CancelResult, ChangesPage, CodeList, FoundDocuments, InboundDocument, InboundPage, OutboundDocument, OutboundPage, PingResult, StatusHistory, SubmitResult, Validation, ViewLink } from './answers.ts';

export const CALLS = {
  ping: { method: 'GET', path: '/api/integration/v1/ping', answer: 'json' },
  readCodeList: { method: 'GET', path: '/api/integration/v1/codelists/{type}', answer: 'json' },
  submitOutbound: { method: 'POST', path: '/api/integration/v1/outbound', answer: 'json' },
  listOutbound: { method: 'GET', path: '/api/integration/v1/outbound', answer: 'json' },
  readOutbound: { method: 'GET', path: '/api/integration/v1/outbound/{docUid}', answer: 'json' },
  readOutboundHistory: { method: 'GET', path: '/api/integration/v1/outbound/{docUid}/history', answer: 'json' },
  readOutboundFile: { method: 'GET', path: '/api/integration/v1/outbound/{docUid}/file', answer: 'bytes' },
  cancelOutbound: { method: 'POST', path: '/api/integration/v1/outbound/{docUid}/cancel', answer: 'json' },
  listInbound: { method: 'GET', path: '/api/integration/v1/inbound', answer: 'json' },
  readInbound: { method: 'GET', path: '/api/integration/v1/inbound/{docUid}', answer: 'json' },
  readInboundFile: { method: 'GET', path: '/api/integration/v1/inbound/{docUid}/file', answer: 'bytes' },
  acknowledgeInbound: { method: 'POST', path: '/api/integration/v1/inbound/{docUid}/ack', answer: 'json' },
  pingExtensions: { method: 'GET', path: '/api/extensions/v1/ping', answer: 'json' },
  readChanges: { method: 'GET', path: '/api/extensions/v1/changes', answer: 'json' },
  inquireOutbound: { method: 'GET', path: '/api/extensions/v1/outbound', answer: 'json' },
  validateDocument: { method: 'POST', path: '/api/extensions/v1/validate', answer: 'json' },
  viewOutbound: { method: 'GET', path: '/api/extensions/v1/outbound/{docUid}/view', answer: 'bytes' },
  viewInbound: { method: 'GET', path: '/api/extensions/v1/inbound/{docUid}/view', answer: 'bytes' },
  makeOutboundViewLink: { method: 'POST', path: '/api/extensions/v1/outbound/{docUid}/view-link', answer: 'json' },
  makeInboundViewLink: { method: 'POST', path: '/api/extensions/v1/inbound/{docUid}/view-link', answer: 'json' },
  readInboundAsUbl: { method: 'GET', path: '/api/extensions/v1/inbound/{docUid}/as-ubl', answer: 'bytes' },
  readDocumentSchema: { method: 'GET', path: '/api/extensions/v1/schemas/{name}', answer: 'bytes' },
} as const;

export type Calls = {
  /** Confirms that the service is reachable and that the key is valid. */
  readonly ping: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: PingResult;
  };
  /** The active entries of one code list. */
  readonly readCodeList: {
    readonly path: {
      /** Which code list. */
      readonly type: 'document-types' | 'document-statuses' | 'reference-document-types' | 'tax-groups' | 'tax-indicators' | 'payment-types' | 'void-reasons' | 'correction-reasons' | 'reject-reasons' | 'currencies' | 'countries';
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: CodeList;
  };
  /** Submits exactly one UBL 2.1 Invoice or CreditNote, as raw XML. */
  readonly submitOutbound: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: true;
    readonly answer: SubmitResult;
  };
  /** Lists outbound documents, newest first. */
  readonly listOutbound: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Only documents created at this time or later. */
      readonly dateFrom?: string;
      /** Only documents created at this time or earlier. */
      readonly dateTo?: string;
      /** Only documents in these statuses; repeat the parameter, or separate the numbers by commas. */
      readonly status?: readonly number[];
      /** Only documents to the recipient with this tax number. */
      readonly partnerEdb?: string;
      /** Which page; the first is 1. */
      readonly page?: number;
      /** How many documents a page has at most. */
      readonly pageSize?: number;
    };
    readonly takesDocument: false;
    readonly answer: OutboundPage;
  };
  /** One outbound document. */
  readonly readOutbound: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: OutboundDocument;
  };
  /** The status history of an outbound document, failed attempts included. */
  readonly readOutboundHistory: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: StatusHistory;
  };
  /** Downloads one stored representation of an outbound document. */
  readonly readOutboundFile: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: {
      /** Which stored file of the document. */
      readonly format?: 'ubl' | 'pdf' | 'ujp';
    };
    readonly takesDocument: false;
    readonly answer: DownloadedFile;
  };
  /** Cancels an outbound document that was not sent to the authority yet. */
  readonly cancelOutbound: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: CancelResult;
  };
  /** Lists documents received for the tenant, newest first. */
  readonly listInbound: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Only documents that arrived at this time or later. */
      readonly dateFrom?: string;
      /** Only documents that arrived at this time or earlier. */
      readonly dateTo?: string;
      /** Only documents from the sender with this tax number. */
      readonly senderEdb?: string;
      /** Only documents that were not acknowledged. */
      readonly onlyNotImported?: boolean;
      /** Which page; the first is 1. */
      readonly page?: number;
      /** How many documents a page has at most. */
      readonly pageSize?: number;
    };
    readonly takesDocument: false;
    readonly answer: InboundPage;
  };
  /** One document received for the tenant. */
  readonly readInbound: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: InboundDocument;
  };
  /** Downloads one stored representation of a received document. */
  readonly readInboundFile: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: {
      /** Which stored file of the document. */
      readonly format?: 'original' | 'ubl' | 'pdf';
    };
    readonly takesDocument: false;
    readonly answer: DownloadedFile;
  };
  /** Acknowledges that the client has taken the document over. A repeat changes nothing. */
  readonly acknowledgeInbound: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: Acknowledgement;
  };
  /** Confirms that the service is reachable and that the key is valid. */
  readonly pingExtensions: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: PingResult;
  };
  /** The changes of all documents in one order without gaps, on from a cursor. */
  readonly readChanges: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** The next of an earlier answer, or the cursor of one of its entries; left out to begin with the first entry. */
      readonly after?: string;
      /** How many seconds to wait for a change while there is none. */
      readonly wait?: number;
    };
    readonly takesDocument: false;
    readonly answer: ChangesPage;
  };
  /** What happened to a document, by its number, its bytes or its EUID. */
  readonly inquireOutbound: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** The number of the document, as it was submitted. */
      readonly documentNumber?: string;
      /** The SHA-256 of the submitted bytes, in hexadecimal digits. */
      readonly sha256?: string;
      /** The authority's identifier of a registered document. */
      readonly euid?: string;
    };
    readonly takesDocument: false;
    readonly answer: FoundDocuments;
  };
  /** Says what would become of a document if it was submitted, and stores nothing. */
  readonly validateDocument: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: true;
    readonly answer: Validation;
  };
  /** An outbound document as a page for people, with its status in plain words. */
  readonly viewOutbound: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: {
      /** The language of the page: mk or en. Left out, Accept-Language decides, and then the language of the taxpayer. */
      readonly lang?: 'mk' | 'en';
    };
    readonly takesDocument: false;
    readonly answer: DownloadedFile;
  };
  /** A received document as a page for people, with its status in plain words. */
  readonly viewInbound: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: {
      /** The language of the page: mk or en. Left out, Accept-Language decides, and then the language of the taxpayer. */
      readonly lang?: 'mk' | 'en';
    };
    readonly takesDocument: false;
    readonly answer: DownloadedFile;
  };
  /** A link by which an outbound document is viewed without a key, for a time. */
  readonly makeOutboundViewLink: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: {
      /** How many hours the link holds; left out, a week. */
      readonly lifetimeHours?: number;
    };
    readonly takesDocument: false;
    readonly answer: ViewLink;
  };
  /** A link by which a received document is viewed without a key, for a time. */
  readonly makeInboundViewLink: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: {
      /** How many hours the link holds; left out, a week. */
      readonly lifetimeHours?: number;
    };
    readonly takesDocument: false;
    readonly answer: ViewLink;
  };
  /** A received document as a UBL 2.1 Invoice or CreditNote. */
  readonly readInboundAsUbl: {
    readonly path: {
      /** Identifies the document, as returned when it was submitted or listed. */
      readonly docUid: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: DownloadedFile;
  };
  /** The JSON Schema of the authority's document. */
  readonly readDocumentSchema: {
    readonly path: {
      /** The version of the schema and the language of its descriptions. A new version is a new name. */
      readonly name: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly takesDocument: false;
    readonly answer: DownloadedFile;
  };
};
