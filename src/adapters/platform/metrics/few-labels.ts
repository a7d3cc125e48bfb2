/** For labels that others choose, the authority its codes for example: each further one is `other`. */
export function fewLabels(most: number): (label: string) => string {
  const known = new Set<string>();
  return (label) => {
    if (known.size < most) known.add(label);
    return known.has(label) ? label : 'other';
  };
}
