import { PERIODS, type Period, type ReadOverview } from '../../application/operations/read-overview.ts';
import { pageAnswer } from '../answers.ts';
import { overviewPage } from '../pages/overview-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import type { Route } from '../route.ts';
import type { Visit } from '../visit.ts';

type Needs = { readonly readOverview: ReadOverview; readonly viewOf: (visit: Visit) => ConsoleView };

export function overviewRoute({ readOverview, viewOf }: Needs): Route {
  return {
    method: 'GET',
    path: '/',
    role: 'viewer',
    async handle(visit) {
      const asked = visit.query.get('period') ?? '';
      const period = Object.hasOwn(PERIODS, asked) ? (asked as Period) : '24h';
      return pageAnswer(visit.language, overviewPage(viewOf(visit), period, await readOverview(period)));
    },
  };
}
