/** Type codes of a UBL Invoice (UNTDID 1001) that make it another document than an ordinary invoice. */
export const DEBIT_NOTES: readonly string[] = ['383', '80', '84'];
export const ADVANCE_INVOICE = '386';
/** It takes the place of an earlier invoice. */
export const CORRECTED_INVOICE = '384';
