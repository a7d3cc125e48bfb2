import type {
  DocumentType,
  ServedLists,
  TaxIndicator,
} from '../../../../src/adapters/ujp/conversion/conversion-context.ts';
import type { CodeListEntry } from '../../../../src/domain/values/code-list.ts';

/** Shortened code lists as the authority serves them, with expired entries, old names and codes in both scripts. */

export function entry(code: string, name: string, validity: Partial<CodeListEntry> = {}): CodeListEntry {
  return { code, name, active: true, validFrom: null, validTo: null, details: {}, ...validity };
}

export function documentTypeEntry(code: string, name: string, more: Partial<DocumentType> = {}): DocumentType {
  return { ...entry(code, name), hasReference: false, isReferenceMandatory: false, ...more };
}

export function indicator(code: string, group: string, impact: string | null, note = ''): TaxIndicator {
  return { ...entry(code, `Индикатор ${code}`), taxGroupCode: group, vatImpact: impact, note };
}

export const REVERSE_CHARGE_NOTE = 'Пренесување на даночна обврска согласно член 32-а од ЗДДВ';
export const EXEMPT_NOTE = 'ДДВ не е пресметан согласно член 23 од ЗДДВ';
export const NOT_REGISTERED_NOTE = 'ДДВ не е пресметан согласно член 51 став 3 од ЗДДВ';

export const LISTS: ServedLists = {
  documentTypes: [
    documentTypeEntry('100', 'Општа Фактура', { validTo: '2025-12-28' }),
    documentTypeEntry('100', 'Фактура', { validFrom: '2025-12-29' }),
    documentTypeEntry('110', 'Книжно одобрение', { hasReference: true }),
    documentTypeEntry('120', 'Книжно задолжение', { hasReference: true }),
    documentTypeEntry('130', 'Авансна фактура'),
    documentTypeEntry('150', 'Времена ситуација', { hasReference: true }),
    documentTypeEntry('160', 'Фактура/Испратница'),
    documentTypeEntry('170', 'Фактура кон физичко лице'),
    documentTypeEntry('998', 'Неактивен тип', { active: false }),
  ],
  referenceTypes: [
    entry('SYS', 'Од систем'),
    entry('ST', 'Сторно/Корекција'),
    entry('JN', 'Документ за јавна набавка'),
    entry('DOG', 'Договор'),
    entry('NAR', 'Нарачка'),
    entry('PRO', 'Профактура'),
    entry('C_D', 'Царинска декларација'),
    entry('FIS', 'Фискална сметка'),
    entry('DOC', 'Други документи'),
    entry('TRN_DOC', 'Транспортни документи', { active: false }),
  ],
  taxGroups: [
    { ...entry('DDV-A', 'ДДВ 18%'), percent: 18 },
    { ...entry('DDV-V', 'ДДВ 10%'), percent: 10 },
    { ...entry('DDV-B', 'ДДВ 5%'), percent: 5 },
    { ...entry('DDV-G', 'ДДВ 0%'), percent: 0 },
  ],
  taxIndicators: [
    indicator('DDV-G', 'DDV-G', 'NULA', NOT_REGISTERED_NOTE),
    indicator('DDV-A', 'DDV-A', 'STANDARD'),
    indicator('DDV-V', 'DDV-V', 'STANDARD'),
    indicator('DDV-B', 'DDV-B', 'STANDARD'),
    indicator('DDV-7-I', 'DDV-G', 'OSLOBODEN', 'ДДВ не е пресметан согласно член 24 став 1 точка 1 од ЗДДВ'),
    indicator('DDV-8', 'DDV-G', 'OSLOBODEN', 'ДДВ не е пресметан согласно член 24 став 1 од ЗДДВ'),
    indicator('DDV-9', 'DDV-G', 'OSLOBODEN', EXEMPT_NOTE),
    indicator('DDV-9-5', 'DDV-G', 'OSLOBODEN', 'ДДВ не е пресметан согласно член 23 точка 5 од ЗДДВ'),
    indicator('DDV-10-13', 'DDV-G', 'OSLOBODEN', 'Прометот не е предмет на оданочување'),
    indicator('DDV-11-A', 'DDV-A', 'PRENESEN', REVERSE_CHARGE_NOTE),
    indicator('DDV-11-V', 'DDV-V', 'PRENESEN', REVERSE_CHARGE_NOTE),
    indicator('DDV-11-B', 'DDV-B', 'PRENESEN', REVERSE_CHARGE_NOTE),
    indicator('DDV-11-A-О', 'DDV-A', 'PRENESEN', REVERSE_CHARGE_NOTE),
    indicator('DDV-PNPI-А', 'DDV-A', 'STANDARD', 'Присилна наплата'),
    indicator('DDV-vaucer-E', 'DDV-A', 'STANDARD'),
    indicator('DDV-vaucer-E', 'DDV-V', 'STANDARD'),
    indicator('DDV-uvoz', 'DDV-A', 'PRENESEN', 'Увоз'),
    indicator('DDV-uvoz', 'DDV-B', 'PRENESEN', 'Увоз'),
    indicator('DDV-M-18', 'DDV-A', null),
    { ...indicator('DDV-old', 'DDV-A', 'STANDARD'), validTo: '2025-11-30' },
  ],
  paymentTypes: [
    entry('P10', 'Плаќање во готово'),
    entry('P11', 'Плаќање со картичка'),
    entry('P12', 'Плаќање преку банка'),
    entry('P13', 'Плаќање на рати'),
    entry('P14', 'Онлајн банкарско плаќање'),
    entry('P15', 'Плаќање преку мобилна апликација'),
    entry('P16', 'Давање без надомест'),
    entry('P17', 'Компензација'),
    entry('P18', 'Плаќање со вредносен ваучер'),
    entry('P19', 'Други платежни инструменти'),
  ],
  correctionReasons: [entry('C01', 'Грешка во цена'), entry('C98', 'Неактивна причина', { active: false })],
  currencies: [entry('MKD', 'Македонски денар'), entry('EUR', 'Евро'), entry('JPY', 'Јапонски јен')],
  countries: [
    entry('MK', 'Северна Македонија'),
    entry('DE', 'Германија'),
    entry('GB', 'Обединето Кралство'),
    entry('RS', 'Србија'),
    entry('HK', 'Хонг Конг'),
  ],
  allowedIndicators: [],
};
