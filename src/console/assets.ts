import { ASSETS, type Asset, readAsset } from '../http/pages/assets.ts';
import { ROOT, SAFE_HEADERS } from './answers.ts';
import type { Answer } from './visit.ts';

const own = (name: string, contentType: string) =>
  readAsset(new URL(`./assets/${name}`, import.meta.url), name, contentType);

/** The look is that of the other pages; what only the console has comes after it. */
const CONSOLE_ASSETS = {
  'look.css': ASSETS['look.css'],
  'icon.svg': ASSETS['icon.svg'],
  'console.css': own('console.css', 'text/css; charset=utf-8'),
  'console.js': own('console.js', 'text/javascript; charset=utf-8'),
} as const satisfies Readonly<Record<string, Asset>>;

export function assetPath(name: keyof typeof CONSOLE_ASSETS): string {
  return `${ROOT}/assets/${CONSOLE_ASSETS[name].fileName}`;
}

/** Null where there is no such file. Its name has a digest of its bytes, so a browser may keep it for ever. */
export function assetAnswer(fileName: string): Answer | null {
  const found = Object.values(CONSOLE_ASSETS).find((asset) => asset.fileName === fileName);
  if (found === undefined) return null;
  const headers = {
    ...SAFE_HEADERS,
    'content-type': found.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
  };
  return { status: 200, headers, body: found.bytes };
}
