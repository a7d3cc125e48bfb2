import { type Json, type SampleOrder, sampleDocument } from './sample-document.ts';

export const VOID_REASON = { voidCode: 'S-1', voidReason: 'Погрешен купувач', voidComment: 'по договор' };
export const CORRECTION_REASON = {
  correctionReasonCode: 'C01',
  correctionReason: 'Грешка во цена',
  correctionReasonComment: 'нова цена',
};

export function replacing(docNumberRef: string): Json {
  return { docTypeRef: 'ST', docNameRef: 'Сторно/Корекција', docDateRef: '2026-11-10', docNumberRef };
}

/** Of a sample document. */
export function voidOf(euid: string, order: SampleOrder = {}): Json {
  const lines = [{ quantity: -2, price: 1000 }];
  return sampleDocument({ lines, ...order, header: { docStorno: 1, ...order.header }, references: [replacing(euid)] });
}

export function correctionOf(euid: string, order: SampleOrder = {}): Json {
  return sampleDocument({ ...order, header: { docStorno: 2, ...order.header }, references: [replacing(euid)] });
}

export const VOID = { siblings: { voidReason: VOID_REASON } };
export const CORRECTION = { siblings: { correctionReason: CORRECTION_REASON } };
