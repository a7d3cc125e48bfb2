/**
 * The URL with a path that can be decoded. A percent sign that starts no valid encoding stands for itself, so that such a path is
 * an unknown identifier like any other and passes the same checks. The query is left as it is: there such a sign is refused.
 */
export function decodableUrl(url: string): string {
  const path = url.slice(0, queryAt(url));
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return `${path.replaceAll('%', '%25')}${url.slice(path.length)}`;
  }
}

/** Where the framework takes the query to begin, at either sign. */
export function queryAt(url: string): number {
  const at = url.search(/[?#]/u);
  return at === -1 ? url.length : at;
}
