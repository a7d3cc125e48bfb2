import { inBrowser } from './open-browser.ts';
import { pagesInBrowser } from './pages.ts';
import { viewsInBrowser } from './views.ts';

inBrowser('pages and documents in a browser', pagesInBrowser, viewsInBrowser);
