import { pageAnswer } from '../answers.ts';
import { readFigures } from '../pages/system/system-figures.ts';
import { type SystemState, systemPage } from '../pages/system/system-page.ts';
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
      return pageAnswer(visit.language, systemPage(viewOf(visit), { ...state, figures: readFigures(text) }));
    },
  };
}
