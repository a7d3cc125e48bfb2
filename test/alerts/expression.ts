/** One time series at one moment. */
export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** What was read from /metrics at one time, in seconds. */
export type Scrape = { readonly at: number; readonly text: string };

type Value = number | readonly Sample[];

const TOKEN = /\s*([a-z_][\w:]*|\d+(?:\.\d+)?|"[^"]*"|=~|==|[<>()[\]{},=*/-])/giuy;
const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/u;
const AGGREGATIONS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((total, value) => total + value, 0),
};
/** Over the scrapes that are given, however long a range is: the test says what lies in it. */
const OVER_TIME: Readonly<Record<string, (values: readonly number[]) => number>> = {
  increase: (values) => (values.at(-1) ?? 0) - (values[0] ?? 0),
  delta: (values) => (values.at(-1) ?? 0) - (values[0] ?? 0),
  max_over_time: (values) => Math.max(...values),
};

/**
 * Whether an alert's expression holds for real metrics. Understands the part of Prometheus' language that our rules use, and refuses
 * the rest. As there, what is not counted yet has no increase.
 */
export function isRaised(expr: string, scrapes: readonly Scrape[]): boolean {
  return raisedFor(expr, scrapes).length > 0;
}

/** The labels of what it is raised for. */
export function raisedFor(expr: string, scrapes: readonly Scrape[]): readonly Sample['labels'][] {
  const value = evaluate(expr, scrapes);
  if (typeof value === 'number') throw new Error(`${expr} is a number, not an alert.`);
  return value.map(({ labels }) => labels);
}

function evaluate(expr: string, scrapes: readonly Scrape[]): Value {
  const tokens = [...expr.matchAll(TOKEN)].map(([, token = '']) => token);
  if (tokens.join('') !== expr.replaceAll(/\s+/gu, '')) throw new Error(`${expr} cannot be read.`);
  let next = 0;
  const take = (expected?: string): string => {
    const token = tokens[next] ?? '';
    if (expected !== undefined && token !== expected)
      throw new Error(`${expected} is expected, not ${token}, in ${expr}`);
    next += 1;
    return token;
  };
  const taken = (token: string) => tokens[next] === token && take() === token;

  function comparison(): Value {
    const left = arithmetic();
    const operator = tokens[next] ?? '';
    if (!['<', '>', '=='].includes(operator)) return left;
    take();
    const right = arithmetic();
    if (typeof left === 'number' || typeof right !== 'number')
      throw new Error(`${expr} compares no series with a number.`);
    return left.filter(({ value }) =>
      operator === '<' ? value < right : operator === '>' ? value > right : value === right,
    );
  }

  function arithmetic(): Value {
    let left = term();
    while (['-', '*', '/'].includes(tokens[next] ?? '')) left = combined(take(), left, term());
    return left;
  }

  function term(): Value {
    const token = take();
    if (/^\d/u.test(token)) return Number(token);
    if (token === 'time') {
      take('(');
      take(')');
      return scrapes.at(-1)?.at ?? 0;
    }
    const aggregate = AGGREGATIONS[token];
    if (aggregate !== undefined) return aggregated(aggregate);
    const overTime = OVER_TIME[token];
    if (overTime === undefined)
      return select(token, matchers()).map(({ labels, values }) => ({ labels, value: values.at(-1) ?? 0 }));
    take('(');
    const series = select(take(), matchers());
    take('[');
    while (take() !== ']');
    take(')');
    return series.map(({ labels, values }) => ({ labels, value: overTime(values) }));
  }

  function aggregated(aggregate: (values: readonly number[]) => number): Value {
    const by: string[] = [];
    if (taken('by')) {
      take('(');
      do by.push(take());
      while (taken(','));
      take(')');
    }
    take('(');
    const inner = comparison();
    take(')');
    if (typeof inner === 'number') throw new Error(`${expr} aggregates a number.`);
    const kept = (labels: Sample['labels']) => Object.fromEntries(by.map((name) => [name, labels[name] ?? '']));
    const groups = Map.groupBy(inner, ({ labels }) => JSON.stringify(kept(labels)));
    return [...groups].map(([key, samples]) => ({
      labels: JSON.parse(key) as Sample['labels'],
      value: aggregate(samples.map(({ value }) => value)),
    }));
  }

  function matchers(): readonly ((labels: Sample['labels']) => boolean)[] {
    const all: ((labels: Sample['labels']) => boolean)[] = [];
    if (!taken('{')) return all;
    do {
      const [name, operator, text] = [take(), take(), take().slice(1, -1)];
      const pattern = new RegExp(`^(?:${text})$`, 'u');
      all.push((labels) => (operator === '=' ? labels[name] === text : pattern.test(labels[name] ?? '')));
    } while (taken(','));
    take('}');
    return all;
  }

  /** The values of each series that is in the last scrape, in the order of time. */
  function select(name: string, conditions: ReturnType<typeof matchers>) {
    const read = scrapes.map(({ text }) =>
      samplesOf(text, name).filter(({ labels }) => conditions.every((one) => one(labels))),
    );
    return (read.at(-1) ?? []).map(({ labels }) => {
      const key = JSON.stringify(labels);
      const same = read.map((samples) => samples.find((sample) => JSON.stringify(sample.labels) === key)?.value);
      return { labels, values: same.filter((value) => value !== undefined) };
    });
  }

  const value = comparison();
  if (next < tokens.length) throw new Error(`${expr} goes on with ${tokens[next]}.`);
  return value;
}

function combined(operator: string, left: Value, right: Value): Value {
  const apply = (a: number, b: number) => (operator === '-' ? a - b : operator === '*' ? a * b : a / b);
  if (typeof left === 'number')
    return typeof right === 'number'
      ? apply(left, right)
      : right.map((one) => ({ ...one, value: apply(left, one.value) }));
  if (typeof right === 'number') return left.map((one) => ({ ...one, value: apply(one.value, right) }));
  return left.flatMap((one) => {
    const other = right.find(({ labels }) => JSON.stringify(labels) === JSON.stringify(one.labels));
    return other === undefined ? [] : [{ ...one, value: apply(one.value, other.value) }];
  });
}

function samplesOf(text: string, name: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, metric, labels = '', value = ''] = LINE.exec(line) ?? [];
    if (metric !== name) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/gu)].map(([, label = '', content = '']) => [label, content]);
    return [{ labels: Object.fromEntries(pairs) as Sample['labels'], value: Number(value) }];
  });
}
