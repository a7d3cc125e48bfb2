/** The figures of this process, as Prometheus reads them. */
export type Figures = {
  /** Null where there is no such figure, because there is no such thing here or nobody knows just now. */
  readonly get: (name: string, label?: string) => number | null;
};

/** A figure has one label or none; those of histograms and routes have more, and are for machines. */
const LINE = /^(dostava_\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/u;

export function readFigures(text: string): Figures {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, label = '', value] = LINE.exec(line) ?? [];
    if (name !== undefined) values.set(`${name} ${label}`, Number(value));
  }
  return { get: (name, label = '') => values.get(`dostava_${name} ${label}`) ?? null };
}
