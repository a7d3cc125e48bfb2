import { REFUSALS as ENGLISH } from '../en/refusals.ts';
import { translationOf } from '../translation.ts';

export const REFUSALS = translationOf(ENGLISH, {
  'no-tenant': 'Нема обврзник {tenant}',
  'no-such-tenant': 'Таков обврзник нема',
  'no-key': 'Нема клуч {key}',
  'no-document': 'Таков документ нема',
  'no-outbound-document': 'Нема излезен документ {document}',
  'tenant-not-stopped': 'Обврзникот {tenant} не е запрен',
  'stop-is-another':
    'Обврзникот {tenant} сега е запрен од друга причина или повторно: погледнете зошто пред да продолжи',

  'not-retried-not-found': 'Документот {document} го нема',
  'not-retried-not-failed': 'Документот {document} не е во статус 55; само неуспешни документи може да се повторат',
  'not-retried-not-rejected':
    'Документот {document} не е во статус 50; само одбиени документи може да се повторат како такви',
  'not-retried-duplicate':
    'Документот {document} не се повторува: друг од истиот вид и со истиот број е прифатен или на пат',
  'not-retried-gone': 'Документот {document} не се повторува: тоа што беше поднесено или пратено повеќе не е во базата',
  'not-retried-former-environment':
    'Документот {document} не се повторува: поднесен е пред да се смени околината на обврзникот кај УЈП (тест, продукција). Ако е потребен во сегашната, нека се поднесе повторно со нов клуч за идемпотентност',

  'void-reason-unknown': 'Во шифрарникот на органот нема причина {reason} за сторно што важи денес. Ги има: {reasons}',
  'void-on-record': 'Сторно на документот {document} веќе е запишано',
  'void-euid-of-another':
    'Документот {document} не може да се сторнира тука: има EUID на друг документ, кој би бил сторниран наместо него',
  'void-former-environment':
    'Документот {document} не може да се сторнира тука: регистриран е пред да се смени околината на обврзникот кај УЈП (тест, продукција). Сторнирајте го на порталот на УЈП',
  'void-comment-too-long': 'Коментарот има {characters|знак|знаци}; се праќаат најмногу {most}. Скратете го',
  'void-not-registered':
    'Документот {document} е во статус {status}; може да се сторнира само документ што органот го регистрирал (40)',
  'void-not-new':
    'Документот {document} не може да се сторнира: {why} (статус {status} кај органот). Без потврда на купувачот може само документ во статус {new}',
  'void-why-accepted': 'купувачот го прифатил',
  'void-why-accepted-automatically': 'прифатен е автоматски',
  'void-why-rejected': 'купувачот го одбил',
  'void-why-voided': 'веќе е сторниран',
  'void-why-corrected': 'исправен е',
  'void-why-no-decision': 'не му треба одлука на купувач',
  'void-why-not-new': 'повеќе не е нов',
});
