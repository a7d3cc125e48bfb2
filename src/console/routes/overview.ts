import { PERIODS, type Period, type ReadOverview } from '../../application/operations/read-overview.ts';
import { pageAnswer } from '../answers.ts';
import { overviewPage } from '../pages/overview-page.ts';
import { dueWork } from '../pages/system/late-work.ts';
import { readFigures } from '../pages/system/system-figures.ts';
import type { ConsoleView } from '../pages/view.ts';
import type { Route } from '../route.ts';
import type { Visit } from '../visit.ts';

type Needs = {
  readonly readOverview: ReadOverview;
  /** The text that Prometheus reads. */
  readonly metrics: () => Promise<string>;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

export function overviewRoute({ readOverview, metrics, viewOf }: Needs): Route {
  return {
    method: 'GET',
    path: '/',
    role: 'viewer',
    async handle(visit) {
      const asked = visit.query.get('period') ?? '';
      const period = Object.hasOwn(PERIODS, asked) ? (asked as Period) : '24h';
      const [overview, text] = await Promise.all([readOverview(period), metrics()]);
      const due = dueWork(readFigures(text));
      return pageAnswer(visit.language, overviewPage(viewOf(visit), period, { ...overview, due }));
    },
  };
}
