import type { Site } from './site.ts';

/**
 * The values of a cookie, none where the browser sent none. Others on the same name or domain may have set many, and of ours too: a browser
 * sends those for a longer path before it. Node limits how much comes.
 */
export function readCookies(header: string | undefined, name: string): readonly string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at !== -1 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
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
