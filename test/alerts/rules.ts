import { readFileSync } from 'node:fs';

export type Rule = { readonly alert: string; readonly expr: string; readonly runbook: string; readonly text: string };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The alerts of deploy/prometheus/alerts.yml, which is written in the plainest form of YAML. */
export function readRules(): readonly Rule[] {
  const [, ...texts] = read('deploy/prometheus/alerts.yml').split(/^ {6}- alert: /mu);
  return texts.map((text) => {
    const value = (name: string) =>
      new RegExp(`^ +${name}: (.+)$`, 'mu').exec(text)?.[1]?.replaceAll(/^'|'$/gu, '') ?? '';
    return { alert: text.split('\n', 1)[0] ?? '', expr: value('expr'), runbook: value('runbook_url'), text };
  });
}

export function exprOf(alert: string): string {
  const rule = readRules().find((one) => one.alert === alert);
  if (rule === undefined) throw new Error(`There is no alert ${alert}.`);
  return rule.expr;
}

/** The expressions of all panels. */
export function dashboardExpressions(): readonly string[] {
  type Panel = { readonly targets: readonly { readonly expr: string }[] };
  const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as { readonly panels: readonly Panel[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

/** Names of metrics in an expression. */
export function metricsIn(expr: string): readonly string[] {
  return [...expr.matchAll(/\b(?:dostava|nodejs|process)_\w+/gu)].map(([name]) => name);
}
