import type { Site } from './site.ts';

/** The value of a cookie; null where the browser sent none. Others on the same name or domain may have set many: Node limits how much comes. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

/** Of the session: no script reads it, and no other site's page sends it along. It ends with the browser at the latest. */
export function sessionCookie({ cookieName, isSecure }: Site, token: string | null): string {
  const ends = token === null ? '; Max-Age=0' : '';
  return `${cookieName}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${ends}`;
}

export const LANGUAGE_COOKIE = 'dostava-language';

const A_YEAR_SECONDS = 31_536_000;

export function languageCookie({ isSecure }: Site, language: string): string {
  const secure = isSecure ? '; Secure' : '';
  return `${LANGUAGE_COOKIE}=${language}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${A_YEAR_SECONDS}${secure}`;
}
