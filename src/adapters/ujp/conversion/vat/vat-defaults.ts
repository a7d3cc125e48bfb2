export type VatDefault = {
  readonly category: string;
  /** Null: whatever rate is stated, which must then fit the indicator. */
  readonly percent: string | null;
  readonly indicator: string;
  readonly onlyUnregisteredSeller: boolean;
};

function row(category: string, percent: string | null, indicator: string, onlyUnregisteredSeller = false): VatDefault {
  return { category, percent, indicator, onlyUnregisteredSeller };
}

/**
 * The indicator of a UBL tax category that names none itself. B is 5 % and V is 10 %, after the Cyrillic order А Б В Г.
 * Zero-rated (Z) and most of what is outside the scope (O) have no counterpart that could be guessed.
 */
export const VAT_DEFAULTS: readonly VatDefault[] = [
  row('S', '18', 'DDV-A'),
  row('S', '10', 'DDV-V'),
  row('S', '5', 'DDV-B'),
  row('AE', '18', 'DDV-11-A'),
  row('AE', '10', 'DDV-11-V'),
  row('AE', '5', 'DDV-11-B'),
  row('G', null, 'DDV-7-I'),
  row('E', null, 'DDV-9'),
  row('O', null, 'DDV-G', true),
];
