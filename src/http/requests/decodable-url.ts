/**
 * The URL with a path that can be decoded. A percent sign that starts no valid encoding stands for itself, so that such a path is
 * an unknown identifier like any other and passes the same checks.
 */
export function decodableUrl(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}
