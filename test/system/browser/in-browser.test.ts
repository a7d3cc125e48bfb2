import { consoleInBrowser } from './console.ts';
import { inBrowser } from './open-browser.ts';
import { pagesInBrowser } from './pages.ts';
import { viewsInBrowser } from './views.ts';

inBrowser('pages, documents and the console in a browser', pagesInBrowser, viewsInBrowser, consoleInBrowser);
