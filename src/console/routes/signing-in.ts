import type { OperatorSessions } from '../../application/operators/operator-sessions.ts';
import { filled } from '../../http/pages/page.ts';
import { pageAnswer, ROOT, redirect } from '../answers.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import type { ConsoleView } from '../pages/view.ts';
import { sessionCookie } from '../requests/cookies.ts';
import type { Route } from '../route.ts';
import type { Answer, Visit } from '../visit.ts';

type Needs = {
  readonly sessions: Pick<OperatorSessions, 'signIn' | 'signOut'>;
  readonly viewOf: (visit: Visit) => ConsoleView;
};

/** A page of the console and nothing else: never an address elsewhere, nor one above it (browsers take `%2e%2e` for the folder above). */
const NEXT = /^(?!.*%2[Ee])\/console(?:\/[\w~%-][\w.~%-]*)*(?:\?[\w.~%=&+-]*)?$/u;
const LONGEST_NEXT = 500;

export function signingIn({ sessions, viewOf }: Needs): readonly Route[] {
  async function signIn(visit: Visit): Promise<Answer> {
    const { form, language, address, site, session } = visit;
    const name = form.get('name')?.trim() ?? '';
    const next = nextPage(form.get('next'));
    // Signed in by another tab meanwhile: forms of that tab can still be sent.
    if (session?.operator.name === name) return redirect(next);
    const signed = await sessions.signIn(name, form.get('password') ?? '', { address, isHere: !site.isSecure });
    if (signed.outcome === 'signed-in') return redirect(next, sessionCookie(site, signed.token));
    const view = viewOf(visit);
    const { words } = view;
    if (signed.outcome === 'refused') {
      return pageAnswer(language, signInPage(view, { next, name, trouble: words('sign-in-refused') }), 403);
    }
    const { retryAfterSeconds } = signed;
    const trouble = filled(words('too-many-attempts'), { seconds: retryAfterSeconds }).toString();
    const answer = pageAnswer(language, signInPage(view, { next, name, trouble }), 429);
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfterSeconds) } };
  }

  return [
    {
      method: 'GET',
      path: '/sign-in',
      role: null,
      async handle(visit) {
        const next = nextPage(visit.query.get('next'));
        if (visit.session !== null) return redirect(next);
        return pageAnswer(visit.language, signInPage(viewOf(visit), { next, name: '', trouble: null }));
      },
    },
    { method: 'POST', path: '/sign-in', role: null, handle: signIn },
    {
      method: 'POST',
      path: '/sign-out',
      role: 'viewer',
      async handle({ session, address, site }) {
        await sessions.signOut(session.token, { name: session.operator.name, address });
        return redirect(`${ROOT}/sign-in`, sessionCookie(site, null));
      },
    },
  ];
}

function nextPage(text: string | null): string {
  return text !== null && text.length <= LONGEST_NEXT && NEXT.test(text) ? text : ROOT;
}
