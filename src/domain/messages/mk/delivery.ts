import { DELIVERY as ENGLISH } from '../en/delivery.ts';
import { translationOf } from '../translation.ts';

export const DELIVERY = translationOf(ENGLISH, {
  'authority-unreachable': 'Не може да се воспостави врска со УЈП',
  'authority-timeout': 'УЈП не одговори навреме',
  'authority-busy': 'УЈП е преоптоварена и побара да се обидеме подоцна',
  'authority-failed': 'Настана грешка во самиот систем на УЈП',
  'connection-lost': 'Врската со УЈП се прекина пред да стигне одговор',
  'attempt-interrupted': 'Обидот беше прекинат пред да одговори УЈП, а документот го нема кај неа',
  'account-refused': 'УЈП не ја прифаќа корисничката сметка на даночниот обврзник; операторот мора да ја исправи',
  'request-refused': 'УЈП го одби барањето од причина за која не е познато дека е во документот',
  'document-rejected': 'УЈП го одби документот',
  'not-at-authority': 'Документот го нема кај УЈП',
  'refused-too-often':
    'Тоа се случи {count} пати додека УЈП примаше други документи; операторот може повторно да го стави на испраќање',
  'attempts-used-up': 'Сите обиди се искористени',
  'number-taken': 'Документот {docUid} од ист вид има ист број и е прифатен или се испраќа',
  'service-failed':
    'Самата услуга не успеа да го обработи документот {count} пати по ред; операторот мора да ја најде причината',
  'authority-says': 'Порака од УЈП: {errors}',
  quotation: '„{text}“',

  'account-without-user': 'Даночниот обврзник {taxpayer} нема EUJP-ID, кој УЈП го бара за секое барање',
  'account-user-malformed': 'EUJP-ID на даночниот обврзник {taxpayer} содржи недозволени знаци',
  'certificate-missing': 'Даночниот обврзник {taxpayer} нема сертификат за потпишување',
  'certificate-unreadable': 'Сертификатот на даночниот обврзник {taxpayer} не може да се отвори',
  'certificate-not-signing': 'Со сертификатот {serialNumber} на даночниот обврзник {taxpayer} не можеше да се потпише',
  'installation-unknown': 'Операторот не ја поставил околината {environment} на УЈП: недостасува нејзината адреса',
});
