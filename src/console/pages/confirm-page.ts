import { type Html, html } from '../../http/pages/html.ts';
import { formToken, framed, type Place } from './frame.ts';
import type { ConsoleView } from './view.ts';

type Asked = {
  readonly place: Place;
  readonly title: Html | string;
  /** What will happen, sentence by sentence. */
  readonly says: readonly (Html | string)[];
  /** The word on the button that does it. */
  readonly does: string;
  readonly fields?: Html;
  readonly back: string;
};

/** Asks before anything is done. The form goes to the address of the page itself. */
export function confirmPage(view: ConsoleView, { place, title, says, does, fields, back }: Asked): string {
  const body = html`<div class="confirm"><h1>${title}</h1>
<ul>${says.map((sentence) => html`<li>${sentence}</li>\n`)}</ul>
<form method="post" action="${view.here.pathname}">${formToken(view)}${fields ?? null}
<p class="choices"><button class="main">${does}</button> <a href="${back}">${view.words('leave-it')}</a></p></form></div>`;
  return framed(view, { title, place, body });
}
