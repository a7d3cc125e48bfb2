import { pageAnswer } from '../answers.ts';
import { type Figure, type SystemState, systemPage } from '../pages/system-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import type { Route } from '../route.ts';
import type { Visit } from '../visit.ts';

type Needs = {
  readonly readSystem: () => Promise<Omit<SystemState, 'figures'>>;
  /** The text that Prometheus reads. */
  readonly metrics: () => Promise<string>;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

export function systemRoute({ readSystem, metrics, viewOf }: Needs): Route {
  return {
    method: 'GET',
    path: '/system',
    role: 'viewer',
    async handle(visit) {
      const [state, text] = await Promise.all([readSystem(), metrics()]);
      return pageAnswer(visit.language, systemPage(viewOf(visit), { ...state, figures: figuresOf(text) }));
    },
  };
}

/** What histograms are made of is for machines. */
const DETAIL = /_bucket\{|_sum[ {]|_count[ {]|^dostava_http_/u;

function figuresOf(text: string): readonly Figure[] {
  const lines = text.split('\n').filter((line) => line.startsWith('dostava_') && !DETAIL.test(line));
  return lines.map((line) => {
    const at = line.lastIndexOf(' ');
    return { name: line.slice('dostava_'.length, at), value: line.slice(at + 1) };
  });
}
