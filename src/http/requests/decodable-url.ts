const WITH_HOST = /^https?:\/\//iu;
const HOST_AND_REST = /^https?:\/\/([^/?#]+)([/?][^#]*)?$/iu;
/** What HTTP calls the server as a whole: nothing is at this address. */
const NO_RESOURCE = '*';

/** Whether it says where it leads to: a host may be named before the path, as for a proxy, and must then be one. */
export function isReadableUrl(url: string): boolean {
  if (!WITH_HOST.test(url)) return true;
  const [, host] = HOST_AND_REST.exec(url) ?? [];
  return host !== undefined && URL.canParse(`http://${host}`);
}

/**
 * The URL with a path that can be decoded; the framework answers others before any hook has run. A percent sign that starts no valid
 * encoding stands for itself, so that such a path is an unknown identifier like any other and passes the same checks. The query is left
 * as it is: there such a sign is refused.
 */
export function decodableUrl(url: string): string {
  if (!isReadableUrl(url)) return NO_RESOURCE;
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
