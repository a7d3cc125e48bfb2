import type { Overview } from '../../application/operations/read-overview.ts';
import { OUTBOUND_STATUS } from '../../domain/documents/outbound-status.ts';
import { shortText } from '../../domain/values/one-line-text.ts';
import { type Html, html } from '../../http/pages/html.ts';
import { filled } from '../../http/pages/page.ts';
import { ROOT } from '../answers.ts';
import { holdReason } from './hold-reason.ts';
import { andMore, badge, type Tone } from './marks.ts';
import { durationText } from './shown-durations.ts';
import { type Due, type DueWork, QUEUES, TASKS } from './system/late-work.ts';
import type { ConsoleView } from './view.ts';

type Item = {
  readonly tone: Tone;
  readonly word: string;
  readonly says: Html;
  readonly about: string;
  readonly link: string;
};

/** With what is due, which every process tells in its metrics. */
export type OverviewShown = Overview & { readonly due: DueWork };

const MOST_ITEMS = 12;
const MOST_CHARACTERS = 220;

/** What a person should look at first, the worst on top; a sentence that all is well where nothing is. */
export function attentionList(view: ConsoleView, overview: OverviewShown): Html {
  const { words } = view;
  const items = [
    ...held(view, overview),
    ...damaged(view, overview),
    ...strays(view, overview),
    ...late(view, overview),
    ...unknown(view, overview),
    ...failingTasks(view, overview),
    ...stopped(view, overview),
    ...failingTenants(view, overview),
    ...expiring(view, overview),
  ];
  const failed = overview.counts.get(OUTBOUND_STATUS.failed) ?? 0;
  if (failed > 0) {
    const says = filled(words('failed-wait'), { documents: view.number(failed) });
    items.push({
      tone: 'warn',
      word: words('failed'),
      says,
      about: words('failed'),
      link: `${ROOT}/documents?status=${OUTBOUND_STATUS.failed}`,
    });
  }
  if (items.length === 0) return html`<p class="all-well">${badge('good', words('all-well'))}</p>`;
  const worstFirst = items.toSorted((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'));
  const more = items.length - MOST_ITEMS;
  return html`<section class="attention" aria-label="${words('attention')}"><h2>${words('attention')}</h2><ul>
${worstFirst.slice(0, MOST_ITEMS).map(({ tone, word, says, about, link }) => html`<li class="${tone}">${badge(tone, word)} <span>${says}</span> <a href="${link}">${words('look')}<span class="unseen">: ${about}</span></a></li>\n`)}</ul>${andMore(words, more)}</section>`;
}

function held(view: ConsoleView, { hold }: Overview): Item[] {
  const { words } = view;
  if (hold === null) return [];
  const says = html`${words('delivery-held')} ${holdReason(view, hold)}`;
  return [{ tone: 'bad', word: words('stopped'), says, about: words('system'), link: `${ROOT}/system` }];
}

function damaged({ words, number }: ConsoleView, { damaged: documents }: Overview): Item[] {
  if (documents === 0) return [];
  const says = filled(words('damaged-held'), { documents: number(documents) });
  const link = `${ROOT}/documents?code=STORED-DAMAGE`;
  return [{ tone: 'bad', word: words('damaged'), says, about: words('damaged'), link }];
}

/** The alert ends after an hour, and nothing else tells of a document that is registered and should not be. */
function strays({ words, time }: ConsoleView, { strays: registrations, tenants }: Overview): Item[] {
  const names = new Map(tenants.map(({ edb, name }) => [edb, name]));
  return registrations.map(({ tenant, docUid, euid, recordedAt }) => {
    const values = {
      tenant: html`<strong>${names.get(tenant) ?? tenant}</strong>`,
      at: time(recordedAt),
      euid: html`<code>${euid}</code>`,
    };
    const link = `${ROOT}/documents/outbound/${tenant}/${docUid}`;
    return { tone: 'bad', word: words('stray'), says: filled(words('stray-kept'), values), about: docUid, link };
  });
}

function late({ words, number, language }: ConsoleView, { due, counts }: OverviewShown): Item[] {
  const longest = (...all: readonly Due[]) =>
    Math.max(0, ...all.map(({ isLate, seconds }) => (isLate ? (seconds ?? 0) : 0)));
  const time = (seconds: number) => durationText(language, seconds * 1_000);
  const [documents, containers] = [longest(...Object.values(due.documents)), longest(due.containers)];
  const waiting = QUEUES.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
  const says = [
    ...(documents > 0 ? [filled(words('documents-late'), { time: time(documents), documents: number(waiting) })] : []),
    ...(containers > 0 ? [filled(words('containers-late'), { time: time(containers) })] : []),
    ...TASKS.filter((task) => due.tasks[task].isLate).map((task) =>
      filled(words('task-late'), { task: words(`task-${task}`), time: time(longest(due.tasks[task])) }),
    ),
  ];
  return says.map((text) => ({
    tone: 'bad',
    word: words('late'),
    says: text,
    about: words('queues'),
    link: `${ROOT}/system`,
  }));
}

/** Nothing else tells of them while others are delivered. */
function unknown({ words, language }: ConsoleView, { due }: OverviewShown): Item[] {
  return (['document', 'void'] as const).flatMap((of) => {
    const { isLate, seconds } = due.unknown[of];
    if (!isLate) return [];
    const says = filled(words(`${of}-unknown`), { time: durationText(language, (seconds ?? 0) * 1_000) });
    const link = of === 'document' ? `${ROOT}/documents?status=${OUTBOUND_STATUS.sent}` : `${ROOT}/audit`;
    return [{ tone: 'bad', word: words('late'), says, about: words('outcome-unknown'), link }];
  });
}

/** Where all of an installation fail, the cause is hardly a tenant's. */
function failingTasks({ words, number, recorded }: ConsoleView, { authority }: Overview): Item[] {
  return authority.flatMap(({ environment, tasks, keepFailing, failingTenant, failure }) => {
    if (failingTenant === null) return [];
    const installation = words(`installation-${environment}`);
    const values = {
      installation,
      failing: number(keepFailing),
      tasks: number(tasks),
      reason: short(recorded(failure ?? '')),
    };
    const isAll = keepFailing === tasks;
    return [
      {
        tone: isAll ? 'bad' : 'warn',
        word: words('failing'),
        says: filled(words('tasks-keep-failing'), values),
        about: installation,
        link: isAll ? `${ROOT}/system` : `${ROOT}/tenants/${failingTenant}`,
      },
    ];
  });
}

function stopped({ words, time, recorded }: ConsoleView, { tenants }: Overview): Item[] {
  return tenants.flatMap(({ edb, name, stopped: stop }) => {
    if (stop === null) return [];
    const values = {
      tenant: html`<strong>${name}</strong>`,
      since: time(stop.since),
      reason: short(recorded(stop.reason)),
    };
    const says = filled(words('stopped-since'), values);
    return [{ tone: 'bad', word: words('stopped'), says, about: name, link: `${ROOT}/tenants/${edb}` }];
  });
}

function failingTenants({ words, number, recorded }: ConsoleView, { tenants, failing }: Overview): Item[] {
  return tenants.flatMap(({ edb, name, stopped: stop }) => {
    const documents = failing.get(edb);
    if (documents === undefined || stop !== null) return [];
    const values = {
      tenant: html`<strong>${name}</strong>`,
      documents: number(documents.documents),
      reason: short(recorded(documents.failureMessage ?? documents.failureCode ?? '')),
    };
    const says = filled(words('keeps-failing'), values);
    return [{ tone: 'warn', word: words('failing'), says, about: name, link: `${ROOT}/tenants/${edb}` }];
  });
}

function expiring({ words, time, now }: ConsoleView, { certificates, keys }: Overview): Item[] {
  const tone = (at: number): Tone => (at <= now ? 'bad' : 'warn');
  return [
    ...certificates.map(({ tenant, validTo }) => ({
      tone: tone(validTo),
      word: words('certificate'),
      says: filled(words(validTo <= now ? 'certificate-expired' : 'certificate-expires'), {
        tenant,
        at: time(validTo),
      }),
      about: tenant,
      link: `${ROOT}/tenants/${tenant}`,
    })),
    ...keys.map(({ keyId, software, expiresAt }) => ({
      tone: tone(expiresAt ?? 0),
      word: words('key'),
      says: filled(words((expiresAt ?? 0) <= now ? 'key-has-expired' : 'key-expires'), {
        key: keyId,
        software: short(software),
        at: time(expiresAt ?? 0),
      }),
      about: keyId,
      link: `${ROOT}/keys`,
    })),
  ];
}

function short(text: string): string {
  return shortText(text, MOST_CHARACTERS);
}
