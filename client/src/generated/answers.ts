// Made from the interface descriptions by `npm run docs`.

/** The document was acknowledged, now or before. */
export type Acknowledgement = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** Time of the first acknowledgement; null before it. */
  readonly ackedAt: string | null;
};

/** The document was cancelled. */
export type CancelResult = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** Always 60, cancelled. */
  readonly status: number;
};

/** A part of the log of changes. */
export type ChangesPage = {
  /** In the order of the log; at most 200. */
  readonly items: readonly {
    /** The place of this entry. Opaque, and of use to the same taxpayer alone. */
    readonly cursor: string;
    /** When it happened, or was recorded by the service. */
    readonly at: string;
    /** What changed: the status of an outbound document, the status that the authority gives a document, the container that can be downloaded now, the warnings, an arrival, an acknowledgement. Further values may be added: leave out those you do not know. */
    readonly kind: string;
    /** Which way the document goes. */
    readonly direction: string;
    /** Identifies the document; opaque. */
    readonly docUid: string;
    /** Of an outbound document, after the change. */
    readonly status: number | null;
    /** Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added. */
    readonly failureCode: string | null;
    /** With status and authority-status of an outbound document: the authority's answer after the change, null where there is none. */
    readonly ujp: {
      /** Whether the authority registered the document. */
      readonly accepted: boolean;
      /** The identifier under which the authority registered the document. */
      readonly euid: string | null;
      /** The address that the QR code of the document leads to. */
      readonly qrLink: string | null;
      /** When the authority registered the document. */
      readonly registeredAt: string | null;
      /** The authority's own status of the document, a code of the list document-statuses; it may change later. */
      readonly statusCode: string | null;
      /** The name of that status. */
      readonly statusName: string | null;
      /** What the authority said, in its words or in those of the service. */
      readonly message: string | null;
      /** Why the authority rejected the document; empty if it did not. */
      readonly errors: readonly {
        /** The authority's code. */
        readonly code: string | null;
        /** What the authority says of it. */
        readonly message: string | null;
      }[];
    } | null;
    /** With authority-status and arrived: the authority's own status. */
    readonly authorityStatus: {
      /** A code of the list document-statuses. */
      readonly code: string;
      /** Its name. */
      readonly name: string | null;
      /** When it changed by the authority's clock, where that is known. */
      readonly at: string | null;
    } | null;
    /** With warnings: all that the document has from now on. */
    readonly warnings: readonly {
      /** What was done. Further values may be added. */
      readonly code: string;
      /** The same in words, in the language that Accept-Language asks for, else in that of the taxpayer. */
      readonly text: string;
      /** The element of the document. */
      readonly path: string | null;
    }[] | null;
    /** When the document was submitted, or received. */
    readonly createdAt: string;
    /** Tax number of the recipient, or of the sender of an inbound document. */
    readonly partnerEdb: string | null;
    /** Of an inbound document. */
    readonly senderName: string | null;
    /** The number that the sender gave the document. */
    readonly documentNumber: string | null;
    /** The payable amount. */
    readonly amount: number | null;
    /** The currency of the amount, as in ISO 4217. */
    readonly currency: string | null;
  }[];
  /** Give it as after to read on; keep it with what was taken over. Opaque, and of use to the same taxpayer alone. Null while the log is empty. */
  readonly next: string | null;
  /** More can be read at once. */
  readonly hasMore: boolean;
  /** Whatever any call could show before this moment is in the log up to next. Null where there is more to read. */
  readonly completeUpTo: string | null;
};

/** The entries of one code list. */
export type CodeList = {
  /** The type that was asked for. */
  readonly type: string | null;
  /** The entries that are in force. */
  readonly items: readonly {
    /** The code of the entry. */
    readonly code: string;
    /** Its name. */
    readonly name: string;
  }[] | null;
};

/** The documents that were asked for, with all that is known of their delivery. */
export type FoundDocuments = {
  /** The newest first; at most 20. */
  readonly items: readonly {
    /** Identifies the document; opaque. */
    readonly docUid: string | null;
    /** 10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added. */
    readonly status: number;
    /** Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added. */
    readonly failureCode: string | null;
    /** The same for accountants, in the language that Accept-Language asks for, else in that of the taxpayer. */
    readonly failureMessage: string | null;
    /** When the service received the document. */
    readonly createdAt: string;
    /** Tax number of the recipient; null for a natural person. */
    readonly partnerEdb: string | null;
    /** The number that the sender gave the document. */
    readonly documentNumber: string | null;
    /** The payable amount. */
    readonly amount: number | null;
    /** The currency of the amount, as in ISO 4217. */
    readonly currency: string | null;
    /** The tax authority's answer; null while there is none. */
    readonly ujp: {
      /** Whether the authority registered the document. */
      readonly accepted: boolean;
      /** The identifier under which the authority registered the document. */
      readonly euid: string | null;
      /** The address that the QR code of the document leads to. */
      readonly qrLink: string | null;
      /** When the authority registered the document. */
      readonly registeredAt: string | null;
      /** The authority's own status of the document, a code of the list document-statuses; it may change later. */
      readonly statusCode: string | null;
      /** The name of that status. */
      readonly statusName: string | null;
      /** What the authority said, in its words or in those of the service. */
      readonly message: string | null;
      /** Why the authority rejected the document; empty if it did not. */
      readonly errors: readonly {
        /** The authority's code. */
        readonly code: string | null;
        /** What the authority says of it. */
        readonly message: string | null;
      }[];
      /** What was left out, shortened or assumed when the document was converted into the form of the authority. */
      readonly warnings: readonly {
        /** What was done. Further values may be added. */
        readonly code: string;
        /** The same in words, in the language that Accept-Language asks for, else in that of the taxpayer. */
        readonly text: string;
        /** The element of the document. */
        readonly path: string | null;
      }[];
    } | null;
    /** The identifier under which the authority registered the document. */
    readonly euid: string | null;
    /** Of the submitted bytes, in hexadecimal digits. */
    readonly sha256: string | null;
    /** When its files went to the archive of the service, from which they are served. */
    readonly archivedAt: string | null;
    /** When the authority is tried next; null while an attempt is under way, and when nothing is left to try. */
    readonly nextAttemptAt: string | null;
    /** Those of the last conversion, whether or not the authority has answered. */
    readonly warnings: readonly {
      /** What was done. Further values may be added. */
      readonly code: string;
      /** The same in words, in the language that Accept-Language asks for, else in that of the taxpayer. */
      readonly text: string;
      /** The element of the document. */
      readonly path: string | null;
    }[];
    /** Every status that the document has had, the oldest first. */
    readonly transitions: readonly {
      /** 10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added. */
      readonly status: number;
      /** When the document came to this status. */
      readonly at: string;
      /** Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added. */
      readonly failureCode: string | null;
    }[];
    /** The last 50 tries at the authority, the oldest first; none once the document is archived. */
    readonly attempts: readonly {
      /** What was tried, such as sending the document or looking it up. */
      readonly act: string;
      /** When the attempt began. */
      readonly startedAt: string;
      /** When its outcome was known; null before. */
      readonly endedAt: string | null;
      /** How it ended; null while it is under way. */
      readonly outcome: string | null;
      /** Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added. */
      readonly failureCode: string | null;
    }[];
    /** Other documents that were submitted with the same bytes, the newest first; at most 20. */
    readonly sameBytes: readonly {
      /** Identifies the document; opaque. */
      readonly docUid: string;
      /** 10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added. */
      readonly status: number;
      /** When it was submitted. */
      readonly createdAt: string;
    }[];
  }[];
  /** There are older ones. */
  readonly hasMore: boolean;
};

/** One inbound document. */
export type InboundDocument = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** When the document arrived. */
  readonly receivedAt: string;
  /** Name of the sender. */
  readonly senderName: string | null;
  /** Tax number of the sender. */
  readonly senderEdb: string | null;
  /** Time of the first acknowledgement; null before it. */
  readonly ackedAt: string | null;
  /** The number that the sender gave the document. */
  readonly documentNumber: string | null;
  /** The payable amount. */
  readonly amount: number | null;
  /** The currency of the amount, as in ISO 4217. */
  readonly currency: string | null;
};

/** An inbound document in a list. */
export type InboundListItem = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** When the document arrived. */
  readonly receivedAt: string;
  /** Name of the sender. */
  readonly senderName: string | null;
  /** Tax number of the sender. */
  readonly senderEdb: string | null;
  /** Time of the first acknowledgement; null before it. */
  readonly ackedAt: string | null;
};

/** A page of a list. */
export type InboundPage = {
  /** The documents of the page, newest first. */
  readonly items: readonly InboundListItem[] | null;
  /** How many documents match the filters, on all pages. */
  readonly totalCount: number;
  /** Which page this is; the first is 1. */
  readonly page: number;
  /** How many documents a page has at most. */
  readonly pageSize: number;
  /** How many pages there are. */
  readonly totalPages: number;
};

/** One outbound document. */
export type OutboundDocument = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** 10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added. */
  readonly status: number;
  /** Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added. */
  readonly failureCode: string | null;
  /** The same for accountants, in the language that Accept-Language asks for, else in that of the taxpayer. */
  readonly failureMessage: string | null;
  /** When the service received the document. */
  readonly createdAt: string;
  /** Tax number of the recipient; null for a natural person. */
  readonly partnerEdb: string | null;
  /** The number that the sender gave the document. */
  readonly documentNumber: string | null;
  /** The payable amount. */
  readonly amount: number | null;
  /** The currency of the amount, as in ISO 4217. */
  readonly currency: string | null;
  /** The tax authority's answer; null while there is none. */
  readonly ujp: {
    /** Whether the authority registered the document. */
    readonly accepted: boolean;
    /** The identifier under which the authority registered the document. */
    readonly euid: string | null;
    /** The address that the QR code of the document leads to. */
    readonly qrLink: string | null;
    /** When the authority registered the document. */
    readonly registeredAt: string | null;
    /** The authority's own status of the document, a code of the list document-statuses; it may change later. */
    readonly statusCode: string | null;
    /** The name of that status. */
    readonly statusName: string | null;
    /** What the authority said, in its words or in those of the service. */
    readonly message: string | null;
    /** Why the authority rejected the document; empty if it did not. */
    readonly errors: readonly {
      /** The authority's code. */
      readonly code: string | null;
      /** What the authority says of it. */
      readonly message: string | null;
    }[];
    /** What was left out, shortened or assumed when the document was converted into the form of the authority. */
    readonly warnings: readonly {
      /** What was done. Further values may be added. */
      readonly code: string;
      /** The same in words, in the language that Accept-Language asks for, else in that of the taxpayer. */
      readonly text: string;
      /** The element of the document. */
      readonly path: string | null;
    }[];
  } | null;
};

/** An outbound document in a list. */
export type OutboundListItem = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** 10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added. */
  readonly status: number;
  /** When the service received the document. */
  readonly createdAt: string;
  /** Tax number of the recipient; null for a natural person. */
  readonly partnerEdb: string | null;
  /** The number that the sender gave the document. */
  readonly documentNumber: string | null;
  /** The payable amount. */
  readonly amount: number | null;
  /** The currency of the amount, as in ISO 4217. */
  readonly currency: string | null;
};

/** A page of a list. */
export type OutboundPage = {
  /** The documents of the page, newest first. */
  readonly items: readonly OutboundListItem[] | null;
  /** How many documents match the filters, on all pages. */
  readonly totalCount: number;
  /** Which page this is; the first is 1. */
  readonly page: number;
  /** How many documents a page has at most. */
  readonly pageSize: number;
  /** How many pages there are. */
  readonly totalPages: number;
};

/** The service is reachable and the key valid. */
export type PingResult = {
  /** Always true. */
  readonly ok: boolean;
  /** Always true: the key is accepted and carries the scope IntegrationApi. */
  readonly keyValid: boolean;
  /** The time by the clock of the service. */
  readonly serverTime: string;
};

/** An error (RFC 9457). */
export type Problem = {
  /** Address of the page that explains the code; about:blank without a code. */
  readonly type: string | null;
  /** Short, stable summary in English. */
  readonly title: string | null;
  /** The HTTP status, repeated. */
  readonly status: number;
  /** What went wrong in this call. */
  readonly detail: string | null;
  /** The code in the catalogue of errors, to match on; null where only the HTTP status says what happened. Further values may be added. */
  readonly code: string | null;
  /** Only with ERR-9000: the reference to quote when reporting it. */
  readonly eventId: string | null;
};

/** The status history of an outbound document. */
export type StatusHistory = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** What happened, in that order; failed attempts are included. */
  readonly transitions: readonly {
    /** 10 received, 20 processing, 30 sent, 40 accepted, 50 rejected, 55 failed, 60 cancelled. 40 and 60 are final; 50 and 55 as well unless the operator acts. Further values may be added. */
    readonly status: number;
    /** When it happened. */
    readonly at: string;
    /** Why the document was not delivered; null where nothing failed. UJP- and a code of the authority where that has rejected it. Further values may be added. */
    readonly failureCode: string | null;
  }[] | null;
};

/** The document was stored; unless it already existed, its delivery follows. */
export type SubmitResult = {
  /** Identifies the document; opaque. */
  readonly docUid: string | null;
  /** Always 10, received: as it was after the first submission, whatever has become of it since. */
  readonly status: number;
  /** When the service received the document. */
  readonly receivedAt: string;
  /** False for a new document. True for a repeated submission, which does nothing: a document that was cancelled, rejected or has failed since stays so, and needs a new key to be submitted anew. */
  readonly alreadyExisted: boolean;
};

/** What would become of a document. Nothing was stored. */
export type Validation = {
  /** accepted: a submission would be accepted and the document sent to the authority, which then decides. refused: the submission would be refused with the first error. would-fail: the document would be accepted and end in status 55 with the code of the first failure. unknown: it would be accepted, but what becomes of it depends on answers of the authority that could not be had. Further values may be added. */
  readonly outcome: string;
  /** Everything that was found, in the order in which it would be noticed; bounded in number. */
  readonly findings: readonly {
    /** error: a submission would be refused. failure: the document would be accepted and then fail (status 55). unknown: the authority could not be asked. warning: it would be sent all the same. Further values may be added. */
    readonly severity: string;
    /** A code of the catalogue of errors (error), a failureCode (failure, unknown), LOOK-UPS-UNFINISHED (unknown) where other requests to the authority were first for too long or its answers took too long together, or the code of a warning. Further values may be added. */
    readonly code: string;
    /** With error: the HTTP status that a submission would be answered with. */
    readonly httpStatus: number | null;
    /** The element of the document. */
    readonly path: string | null;
    /** The line of that element, or of the nearest one around it, in the document as it was sent. */
    readonly line: number | null;
    /** The same in words, in the language that Accept-Language asks for, else in that of the taxpayer. */
    readonly message: string;
  }[];
  /** What would be registered; null unless the outcome is accepted. */
  readonly preview: {
    /** The document type. */
    readonly type: {
      /** The authority's code of the document type. */
      readonly code: string;
      /** The name of that document type. */
      readonly name: string;
    };
    /** Whether it corrects an earlier document. */
    readonly isCorrection: boolean;
    /** The number of the document. */
    readonly number: string;
    /** The date of the document. */
    readonly date: string;
    /** The date of the supply. */
    readonly supplyDate: string;
    /** The date of the delivery. */
    readonly deliveryDate: string | null;
    /** The seller. */
    readonly seller: {
      /** As it would be registered: from the register of taxpayers where that has the party. */
      readonly name: string;
      /** Its tax number; null for a natural person. */
      readonly taxNumber: string | null;
      /** Its VAT number; null where it is not registered for VAT. */
      readonly vatNumber: string | null;
      /** Its country, as in ISO 3166-1. */
      readonly country: string;
      /** Its address, in one line. */
      readonly address: string;
    };
    /** The buyer. */
    readonly buyer: {
      /** As it would be registered: from the register of taxpayers where that has the party. */
      readonly name: string;
      /** Its tax number; null for a natural person. */
      readonly taxNumber: string | null;
      /** Its VAT number; null where it is not registered for VAT. */
      readonly vatNumber: string | null;
      /** Its country, as in ISO 3166-1. */
      readonly country: string;
      /** Its address, in one line. */
      readonly address: string;
    };
    /** How it is paid. */
    readonly payment: {
      /** The payment type. */
      readonly type: {
        /** The authority's code of the payment type. */
        readonly code: string;
        /** The name of that payment type. */
        readonly name: string;
      };
      /** When it is due. */
      readonly dueDate: string | null;
      /** The currency, as in ISO 4217. */
      readonly currency: string;
      /** Denars for one unit of the currency. */
      readonly exchangeRate: number;
    };
    /** The documents that it refers to. */
    readonly references: readonly {
      /** The authority's type of the reference. */
      readonly type: string;
      /** The number of the other document, or its EUID. */
      readonly number: string;
      /** The date of the other document. */
      readonly date: string;
    }[];
    /** How many lines there are. */
    readonly lineCount: number;
    /** The lines; of very many the first ones. */
    readonly lines: readonly {
      /** Counted from one. */
      readonly number: number;
      /** What was supplied. */
      readonly description: string;
      /** How much of it. */
      readonly quantity: number;
      /** The unit of the quantity. */
      readonly unit: string;
      /** The price of one unit, without VAT and after discounts. */
      readonly unitPrice: number;
      /** The total without VAT. */
      readonly net: number;
      /** The authority's VAT indicator. */
      readonly vatIndicator: string;
      /** In percent. */
      readonly vatRate: number;
      /** The VAT. */
      readonly vat: number;
      /** The total with VAT. */
      readonly gross: number;
    }[];
    /** The VAT by indicator and rate. */
    readonly vat: readonly {
      /** The authority's VAT indicator. */
      readonly indicator: string;
      /** The legal basis that the authority prescribes for it; empty for ordinary taxation. */
      readonly note: string;
      /** In percent. */
      readonly rate: number;
      /** The sum without VAT. */
      readonly taxable: number;
      /** The VAT. */
      readonly vat: number;
      /** The sum with VAT. */
      readonly gross: number;
    }[];
    /** The totals. */
    readonly totals: {
      /** The sum of the lines without VAT, before discounts. */
      readonly net: number;
      /** The discounts. */
      readonly discount: number;
      /** The sum without VAT. */
      readonly netAfterDiscount: number;
      /** The VAT. */
      readonly vat: number;
      /** The sum with VAT. */
      readonly gross: number;
      /** The same, rounded as the authority rounds it. */
      readonly grossRounded: number;
      /** What was paid in advance. */
      readonly prepaid: number;
      /** What remains to be paid. */
      readonly payable: number;
    };
  } | null;
};

/** A link by which one document is viewed without a key. */
export type ViewLink = {
  /** To be opened in a browser. Whoever has it sees the document: give it to its reader alone. */
  readonly url: string;
  /** Until when it can be opened, unless the key that made it is revoked before. */
  readonly expiresAt: string;
};
