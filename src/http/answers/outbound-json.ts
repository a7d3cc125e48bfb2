import type { ConversionWarning } from '../../domain/documents/conversion-warning.ts';
import type { OutboundDocument, OutboundSummary } from '../../domain/documents/outbound-document.ts';
import type { Language } from '../../domain/messages/languages.ts';
import { renderStored } from '../../domain/messages/render.ts';
import { formatInstant } from '../../domain/values/instant.ts';
import { amountJson } from './amount-json.ts';

export function outboundListItem(document: OutboundSummary) {
  return {
    docUid: document.docUid,
    status: document.status,
    createdAt: formatInstant(document.createdAt),
    partnerEdb: document.partnerEdb,
    documentNumber: document.documentNumber,
    amount: amountJson(document.amount),
    currency: document.currency,
  };
}

export function outboundDetail(document: OutboundDocument, language: Language) {
  const { failureMessage: english, failureSentences, ujp } = document;
  const failureMessage = english === null ? null : renderStored(language, failureSentences, english);
  return {
    ...outboundListItem(document),
    failureCode: document.failureCode,
    failureMessage,
    // Null as long as the authority has not answered, whatever the conversion had to say.
    ujp: ujp && {
      ...ujp,
      // Ours where the authority gave no words of its own.
      message: ujp.message !== null && ujp.message === english ? failureMessage : ujp.message,
      warnings: document.warnings.map((warning) => warningJson(warning, language)),
    },
  };
}

export function warningJson({ code, text, path, sentence }: ConversionWarning, language: Language) {
  return { code, text: renderStored(language, sentence === undefined ? null : [sentence], text), path };
}
