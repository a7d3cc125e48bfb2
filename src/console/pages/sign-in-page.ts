import { html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import { framed } from './frame.ts';
import type { ConsoleView } from './view.ts';

type Shown = {
  /** Where the browser goes afterwards. */
  readonly next: string;
  readonly name: string;
  readonly trouble: string | null;
};

export function signInPage(view: ConsoleView, { next, name, trouble }: Shown): string {
  const { words } = view;
  const command = html`<code>dostava operator add</code>`;
  const body = html`<div class="sign-in"><h1>${words('sign-in')}</h1>
<p class="lead">${filled(words('sign-in-lead'), { command })}</p>
<div role="alert">${trouble === null ? null : html`<p class="bad">${trouble}</p>`}</div>
<form method="post" action="${ROOT}/sign-in">
<input type="hidden" name="next" value="${next}">
<label for="name">${words('name')}</label><input id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="40">
<label for="password">${words('password')}</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256">
<p><button class="main">${words('sign-in')}</button></p>
</form></div>`;
  return framed(view, { title: words('sign-in'), place: null, body });
}
