import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDatabaseFailure } from '../application/errors/commit-unknown.ts';
import { OperatorError } from '../application/errors/operator-error.ts';
import { Problem } from '../application/errors/problem.ts';
import type { OperatorSessions } from '../application/operators/operator-sessions.ts';
import { LANGUAGES, type Language, OPERATOR_LANGUAGE } from '../domain/messages/languages.ts';
import { render } from '../domain/messages/render.ts';
import { askedLanguage } from '../http/answers/answer-language.ts';
import { filled } from '../http/pages/page.ts';
import { pageAnswer, ROOT, redirect } from './answers.ts';
import { assetAnswer } from './assets.ts';
import { noticePage } from './pages/frame.ts';
import type { ConsoleView } from './pages/view.ts';
import { LANGUAGE_COOKIE, languageCookie, readCookies } from './requests/cookies.ts';
import { readForm } from './requests/read-form.ts';
import { isSameOrigin } from './requests/same-origin.ts';
import { type Site, siteOf } from './requests/site.ts';
import { type Found, findRoute, type Route } from './route.ts';
import type { Answer, Session, SignedVisit, Visit } from './visit.ts';

export type ConsoleNeeds = {
  readonly sessions: Pick<OperatorSessions, 'find' | 'formToken'>;
  readonly routes: readonly Route[];
  readonly viewOf: (visit: Visit) => ConsoleView;
  readonly isLoopback: (host: string) => boolean;
  readonly isTrustedProxy: (address: string) => boolean;
  /** The address of whoever asks, also behind trusted proxies. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Puts an error on record and returns the number by which it is found. */
  readonly report: (error: unknown) => string;
};

export type Console = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Whether the console answers a request: everything at and below its own path. */
export function isForConsole(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return path === ROOT || path.startsWith(`${ROOT}/`);
}

/** The pages for operators. Whoever is not signed in sees the page to do so, and nothing else. */
export function createConsole(needs: ConsoleNeeds): Console {
  return async (request, response) => {
    const { status, headers, body } = await answer(request, needs);
    response.writeHead(status, { ...headers } as Record<string, string | string[]>);
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

async function answer(request: IncomingMessage, needs: ConsoleNeeds): Promise<Answer> {
  const { sessions, viewOf, addressOf } = needs;
  const site = siteOf(request, needs);
  const url = new URL(request.url ?? '/', 'http://console');
  const path = url.pathname.slice(ROOT.length) || '/';
  const query = url.searchParams;
  const visit: Visit = {
    path,
    params: {},
    query,
    form: new URLSearchParams(),
    language: languageOf(request, query),
    address: addressOf(request),
    site: site ?? NO_SITE,
    session: null,
  };
  if (site === null) return notice(403, viewOf(visit), 'not-served-here');
  const asset = path.startsWith('/assets/') ? assetAnswer(path.slice('/assets/'.length)) : null;
  if (asset !== null) return asset;
  try {
    const session = await sessionOf(request, site, sessions);
    return withLanguage({ ...visit, session }, await dispatch(request, { ...visit, session }, needs));
  } catch (error) {
    return failure(error, visit, needs);
  }
}

/** The first of the tokens that is one: a service beside this one can set cookies of the same name, which must sign nobody out. */
async function sessionOf(
  request: IncomingMessage,
  { cookieName }: Site,
  sessions: ConsoleNeeds['sessions'],
): Promise<Session | null> {
  for (const token of readCookies(request.headers.cookie, cookieName)) {
    const operator = await sessions.find(token, isOfPerson(request));
    if (operator !== null) return { operator, token, formToken: sessions.formToken(token) };
  }
  return null;
}

/** An open page asks for its figures as long as the browser runs, and says so: that is no use of the session. */
function isOfPerson({ headers }: IncomingMessage): boolean {
  return headers['x-refresh'] === undefined;
}

/** For the page that says that there is none. */
const NO_SITE: Site = { origin: 'http://console', isSecure: true, cookieName: '' };

async function dispatch(request: IncomingMessage, visit: Visit, needs: ConsoleNeeds): Promise<Answer> {
  const { session, path } = visit;
  const view = needs.viewOf(visit);
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  const found = findRoute(needs.routes, method, path);
  if (session === null && found?.route.role !== null) return toSignIn(request, visit);
  if (found === null) return notice(404, view, 'not-there');
  if (method !== 'POST') return run(found, visit, session, needs);
  const form = isSameOrigin(request.headers, visit.site.origin) ? await readForm(request) : null;
  // The page to sign in was made before there was a session, of another tab perhaps.
  const hasToken = session === null || found.route.role === null || form?.get('token') === session.formToken;
  return form !== null && hasToken ? run(found, { ...visit, form }, session, needs) : notice(403, view, 'stale-form');
}

async function run({ route, params }: Found, visit: Visit, session: Session | null, needs: ConsoleNeeds) {
  if (route.role === null) return route.handle({ ...visit, params });
  const signed: SignedVisit | null = session === null ? null : { ...visit, params, session };
  if (signed === null) return redirect(`${ROOT}/sign-in`);
  const isAllowed = route.role === 'viewer' || signed.session.operator.role === 'operator';
  return isAllowed ? route.handle(signed) : notice(403, needs.viewOf(visit), 'not-allowed');
}

/**
 * A link from another site comes without the cookie of the session: the browser opens it once more from our own page, and sends
 * it then.
 */
function toSignIn(request: IncomingMessage, { path, query, language }: Visit): Answer {
  const rest = query.size === 0 ? '' : `?${query}`;
  const next = `${ROOT}${path === '/' ? '' : path}${rest}`;
  if (request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site') {
    const answer = pageAnswer(language, '');
    return { ...answer, headers: { ...answer.headers, refresh: `0;url=${next}` } };
  }
  return redirect(request.method === 'GET' ? `${ROOT}/sign-in?${new URLSearchParams({ next })}` : `${ROOT}/sign-in`);
}

type Notice = 'not-served-here' | 'not-there' | 'not-allowed' | 'stale-form';

function notice(status: number, view: ConsoleView, key: Notice): Answer {
  const { words, language } = view;
  return pageAnswer(language, noticePage(view, words(key), words(`${key}-means`)), status);
}

/** What was asked for cannot be done, and why; or a bug, of which the page says nothing but its number. */
function failure(error: unknown, visit: Visit, needs: ConsoleNeeds): Answer {
  const view = needs.viewOf(visit);
  const { words, language } = view;
  if (error instanceof OperatorError || error instanceof Problem) {
    const isProblem = error instanceof Problem;
    const isMissing = isProblem ? error.status === 404 : error.kind === 'not-found';
    const says = isProblem ? error.detailIn(language) : refusalIn(language, error);
    const isBusy = isProblem && error.status === 503;
    return pageAnswer(language, noticePage(view, words('not-done'), says), isMissing ? 404 : isBusy ? 503 : 409);
  }
  // The log has said already that the database is away.
  if (isDatabaseFailure(error)) {
    return pageAnswer(language, noticePage(view, words('database-away'), words('database-away-means')), 503);
  }
  const says = filled(words('went-wrong-means'), { event: needs.report(error) });
  return pageAnswer(language, noticePage(view, words('went-wrong'), says), 500);
}

/** What only the command line can be asked for has no other language. */
function refusalIn(language: Language, { says, message }: OperatorError): string {
  return says === null ? message : render(language, [says]);
}

function languageOf({ headers }: IncomingMessage, query: URLSearchParams): Language {
  const chosen = query.get('language') ?? readCookies(headers.cookie, LANGUAGE_COOKIE)[0];
  return LANGUAGES.find((one) => one === chosen) ?? askedLanguage({ headers }) ?? OPERATOR_LANGUAGE;
}

/** A language that was chosen by its link stays until another one is. */
function withLanguage({ query, language, site }: Visit, answer: Answer): Answer {
  if (query.get('language') !== language || answer.headers['set-cookie'] !== undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'set-cookie': languageCookie(site, language) } };
}
