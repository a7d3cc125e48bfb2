/** The taxpayers of the bench, known to both sides. */
export const BENCH_TENANTS: readonly string[] = Array.from({ length: 100 }, (_, index) =>
  String(4_070_000_000_000 + index),
);

export function eujpIdOf(edb: string): string {
  return `bench-${edb}`;
}
